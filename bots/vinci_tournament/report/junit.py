"""The gates of a league as JUnit XML, for CI."""

from xml.etree import ElementTree

from vinci_html.text import printable

from .contents import Report


def junit(report: Report) -> str:
    """Return a testsuite with a testcase for each gate: passed, failed, or skipped if the gate is inconclusive.

    Empty for a league without a gate.
    """
    gates = report.league.gates
    if not gates:
        return ""
    counts = {
        "tests": str(len(gates)),
        "failures": str(sum(gate.outcome == "fail" for gate in gates)),
        "errors": "0",
        "skipped": str(sum(gate.outcome == "inconclusive" for gate in gates)),
    }
    suite = ElementTree.Element("testsuite", {"name": printable(report.league.name), **counts})
    for gate in gates:
        case = {"classname": "vinci.gate", "name": printable(gate.question)}
        element = ElementTree.SubElement(suite, "testcase", case)
        if gate.outcome != "pass":
            name = "failure" if gate.outcome == "fail" else "skipped"
            ElementTree.SubElement(element, name, {"message": printable(gate.reason)})
        else:
            ElementTree.SubElement(element, "system-out").text = printable(gate.reason)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode") + "\n"
