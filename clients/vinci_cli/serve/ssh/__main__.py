"""`python -m vinci_cli.serve.ssh`, started by the server: what to serve comes as JSON, secrets in the environment."""

import json
import os
import sys

from vinci_client.access import Access

from ...text import i18n
from . import process
from .launcher import INVITATION

i18n.choose()  # that of whoever serves; each session has its own
opens = Access(os.environ.get("VINCI_CODE", ""), os.environ.get("VINCI_PASSWORD", ""))
process.run(opens, os.environ[INVITATION], **json.loads(sys.argv[1]))
