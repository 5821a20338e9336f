"""The gRPC services, and the checks that every call passes."""
