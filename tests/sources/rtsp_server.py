"""A real RTSP server for tests, by GStreamer: `python3 rtsp_server.py PORT [PICTURES-A-SECOND]`.

Run by the system's own Python, which has Debian's `python3-gi`; not by the tests' environment.
Prints a line when it serves `rtsp://127.0.0.1:PORT/table`: H.264 at 1280 x 720, as cameras send it,
a picture in which a ball moves.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

PORT = sys.argv[1]
RATE = sys.argv[2] if len(sys.argv) > 2 else "15"

Gst.init(None)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    f"( videotestsrc is-live=true pattern=ball ! video/x-raw,width=1280,height=720,"
    f"framerate={RATE}/1 ! x264enc tune=zerolatency speed-preset=ultrafast "
    f"key-int-max={RATE} ! rtph264pay name=pay0 pt=96 config-interval=1 )"
)
factory.set_shared(True)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(PORT)
server.get_mount_points().add_factory("/table", factory)
if not server.attach(None):
    sys.exit(f"port {PORT} is taken")
sys.stdout.write(f"rtsp://127.0.0.1:{PORT}/table\n")
sys.stdout.flush()
GLib.MainLoop().run()
