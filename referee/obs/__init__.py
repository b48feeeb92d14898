"""OBS by remote control: a scene set up by itself, and chapters, replays and scenes on events.

Everything here is optional, and nothing here is waited for: a game goes on whether OBS is there
or not. OBS brings what is spoken to, obs-websocket 5 (Tools → WebSocket Server Settings).
"""
