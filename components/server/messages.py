"""Which of Streamlit's messages a browser may send.

Anybody who can open the page can send any of them, and some act on every visitor: one empties the caches of the whole process,
one installs files on the server. What a page of ours never needs is dropped before Streamlit sees it. Every kind of message is
decided here, and a test fails when a version of Streamlit brings another.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg

# All of these act on the sender's own session alone.
ALLOWED = frozenset({"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"})
REFUSED = frozenset(
    {
        "clear_cache",  # empties the caches of all visitors
        "set_run_on_save",  # watches the server's files
        "load_git_info",  # runs git, and tells of the server's checkout
        "debug_disconnect_websocket",
        "debug_shutdown_runtime",
    }
)
ALLOWED_OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})
REFUSED_OPERATIONS = frozenset({"install_skills", "dismiss_skills_nudge"})  # they write files on the server


def allowed(data: bytes) -> bool:
    """Whether a message may reach Streamlit. What is no message may: Streamlit then closes the connection."""
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in ALLOWED_OPERATIONS
    return kind in ALLOWED
