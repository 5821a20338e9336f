"""The report of a league: the same results give the same text, byte for byte, in every form.

There is no time, no date and no order of arrival in it, and nothing of the machine that wrote it.
"""
