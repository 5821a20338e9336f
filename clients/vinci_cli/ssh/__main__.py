"""`python -m vinci_cli.ssh`, which the server starts: what it serves is JSON, what opens it is in the environment."""

import json
import os
import sys

from vinci_client.access import Access

from .. import language
from . import process
from .beside import INVITATION

language.choose()  # that of whoever serves; each session has its own
opens = Access(os.environ.get("VINCI_CODE", ""), os.environ.get("VINCI_PASSWORD", ""))
process.run(opens, os.environ[INVITATION], **json.loads(sys.argv[1]))
