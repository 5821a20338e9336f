"""The report of a league: the same results give the same text, byte for byte, in every form.

It does not depend on time, on the order in which games finished, or on the machine that writes it.
"""
