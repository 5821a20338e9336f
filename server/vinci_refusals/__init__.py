"""The catalogue of refusals: each reason with its gRPC status and its sentences in English.

Servers word their refusals with it, clients translate the same sentences, docs/protocol.md lists them.
"""
