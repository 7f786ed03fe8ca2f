// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Call, Connection, Feed, Query, RequestOptions } from '../request.ts'

/** Operations on events. */
export class EventsOperations {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List events, from a given one on.
   *
   * Events in the order in which they became final, the oldest first, all or by type and subject. Ask again with `after` set to `meta.last_id`: nothing is lost or told twice, however long it took. Without `after` it begins with the first event that is kept.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listEvents`.
   */
  list(query?: Query<api.ListEventsData>, options?: RequestOptions): Feed<api.ListEventsResponses[200]> {
    return this.connection.feed({ method: 'GET', path: '/public/v1/events', query, options })
  }

  /**
   * Stream events as they happen.
   *
   * Server-sent events. `change` is an event of the feed, with its ID; `live` holds the fields of a printer that changed, `hub` whether a hub is connected, `candidates` that a hub has found printers, and how its look at an address ended; all three without an ID. It continues after the event that `Last-Event-ID` or `after` names; `reset` says that it could not, and that everything should be read again.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `streamEvents`.
   */
  stream(query?: Query<api.StreamEventsData>, options?: RequestOptions): Call<Response> {
    return this.connection.receive({ method: 'GET', path: '/public/v1/events/stream', query, options })
  }
}
