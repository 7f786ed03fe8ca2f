/** The WebSocket subprotocol that both ends must name; the digit is the major version of the messages. */
export const SUBPROTOCOL = 'printyard.hub.v1'

/** Path of the service at which hubs connect. */
export const CONNECT_PATH = '/hub/v1/connect'

/** Path at which a join code is exchanged for a hub token. */
export const JOIN_PATH = '/hub/v1/join'

/**
 * A header by which a hub that asks the service for a file says that it follows one redirect to where the file is. One without it gets the
 * bytes from the service itself.
 */
export const FOLLOWS_HEADER = 'x-printyard-follows'

/** The version of the messages spoken here, sent in `hello`. */
export const PROTOCOL_VERSION = 1

/** The oldest version that is still understood. An older peer is refused with a reason, never half understood. */
export const OLDEST_PROTOCOL_VERSION = 1

/** Larger frames end the connection: telemetry of fifty printers needs a tenth of it. */
export const MAX_FRAME_BYTES = 256 * 1024

/** A hub sends a heartbeat this often. */
export const HEARTBEAT_INTERVAL_MS = 20_000

/** A hub that has sent no heartbeat for longer than this is stale. Source: the public API description. */
export const HUB_STALE_AFTER_MS = 120_000

/** A hub reports the changes of one printer at most this often. */
export const TELEMETRY_INTERVAL_MS = 1_000

/** The capability of a hub that appends G-code to a print so that it pushes itself off its plate. */
export const EJECTION_CAPABILITY = 'ejection'

/** The capability of a hub that takes pictures with the cameras of its printers. */
export const SNAPSHOT_CAPABILITY = 'snapshot'

/** The capability of a hub that prints each filament from the slot that the command names, or refuses. */
export const FILAMENT_MAP_CAPABILITY = 'filament-map'

/** The capability of a hub that tries a connection before a printer is added. */
export const CONNECTION_TEST_CAPABILITY = 'connection-test'

/** The capability of a hub that keeps its token in its data directory, and so can be given another one. */
export const TOKEN_RENEWAL_CAPABILITY = 'token-renewal'

/** A hub has answered a `test_connection` by then, whatever the printer does. */
export const CONNECTION_TEST_LIMIT_MS = 20_000
