import { followEvents, type StreamMessage, type StreamOptions } from '../event-stream.ts'
import { EventsOperations } from './events.generated.ts'

/** What happened: the feed, and the live stream. */
export class Events extends EventsOperations {
  /** Follows what happens, also over breaks of the connection, until `signal` ends it or the key is refused. */
  follow(options: StreamOptions = {}): AsyncGenerator<StreamMessage, void, undefined> {
    return followEvents(this.connection, options)
  }
}
