"""A real RTSP server for tests, by GStreamer: `python3 rtsp_server.py PORT [PICTURES-A-SECOND]`.

Run by the system's own Python, which has Debian's `python3-gi`; not by the tests' environment.
Prints a line when it serves `rtsp://127.0.0.1:PORT/table`: H.264 at 1280 x 720, as cameras send it,
a picture in which a ball moves.
"""

import sys

import gi


def main(port: str, rate: str = "15") -> None:
    """Serve until killed."""
    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    # Only now is it settled which versions these are.
    from gi.repository import GLib, Gst, GstRtspServer

    Gst.init(None)
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(
        f"( videotestsrc is-live=true pattern=ball ! video/x-raw,width=1280,height=720,"
        f"framerate={rate}/1 ! x264enc tune=zerolatency speed-preset=ultrafast "
        f"key-int-max={rate} ! rtph264pay name=pay0 pt=96 config-interval=1 )"
    )
    factory.set_shared(True)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    server.get_mount_points().add_factory("/table", factory)
    if not server.attach(None):
        sys.exit(f"port {port} is taken")
    sys.stdout.write(f"rtsp://127.0.0.1:{port}/table\n")
    sys.stdout.flush()
    GLib.MainLoop().run()


if __name__ == "__main__":
    main(*sys.argv[1:])
