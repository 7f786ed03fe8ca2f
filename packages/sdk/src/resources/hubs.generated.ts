// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on hubs. */
export class Hubs {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * Join as a hub.
   *
   * Swaps a join code for the token of the hub. A machine that joined before is put out.
   *
   * Operation: `joinHub`.
   */
  join(body: Body<api.JoinHubData>, options?: RequestOptions): Call<api.JoinHubResponses[200]> {
    return this.connection.call({ method: 'POST', path: '/hub/v1/join', json: body, options })
  }

  /**
   * List hubs by name, with their printers.
   *
   * `is_online` is whether a hub is connected at this moment; `is_stale` that no heartbeat came for two minutes.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listHubs`.
   */
  list(query?: Query<api.ListHubsData>, options?: RequestOptions): List<api.ListHubsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/hubs', query, options })
  }

  /**
   * Create a hub and a code to join it.
   *
   * On the machine that is to be the hub, `printyard hub join URL CODE` swaps the code for a token.
   *
   * Scopes: `write` and `control`. Least role: `admin`.
   *
   * Operation: `createHub`.
   */
  create(body: Body<api.CreateHubData>, options?: RequestOptions): Call<api.CreateHubResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/hubs', json: body, isCommand: true, options })
  }

  /**
   * Get a hub with its connection and its printers.
   *
   * Works while the hub is away too: the answer then tells when it was last seen. Its printers are offline meanwhile.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getHub`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetHubResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/hubs/${encodeURIComponent(id)}`, options })
  }

  /**
   * Rename a hub.
   *
   * The hub itself is not notified and keeps running; its printers stay with it.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateHub`.
   */
  update(id: string, body: Body<api.UpdateHubData>, options?: RequestOptions): Call<api.UpdateHubResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/hubs/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a hub.
   *
   * Only without attached printers and without a history of prints. Its token is void at once.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteHub`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteHubResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/hubs/${encodeURIComponent(id)}`, options })
  }

  /**
   * Let a hub search for printers.
   *
   * Printers that it finds appear under `discovered` within seconds. Nothing is added by itself. With an address the hub also looks there, whether something announces itself or not; only in its local network, unless its operator allows more.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `discoverPrinters`.
   */
  discoverPrinters(id: string, body: Body<api.DiscoverPrintersData>, options?: RequestOptions): Call<api.DiscoverPrintersResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/hubs/${encodeURIComponent(id)}/discover`, json: body, options })
  }

  /**
   * List the printers that a hub has found, by name.
   *
   * Known while the hub is connected; nothing is listed for a hub that is not.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listDiscoveredPrinters`.
   */
  listDiscoveredPrinters(id: string, query?: Query<api.ListDiscoveredPrintersData>, options?: RequestOptions): List<api.ListDiscoveredPrintersResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/hubs/${encodeURIComponent(id)}/discovered`, query, options })
  }

  /**
   * Create a new join code for a hub.
   *
   * For a code that has expired, or a machine that was replaced. Earlier codes stop working; a connected machine stays connected until another one joins.
   *
   * Scopes: `write` and `control`. Least role: `admin`.
   *
   * Operation: `createHubJoinCode`.
   */
  createJoinCode(id: string, options?: RequestOptions): Call<api.CreateHubJoinCodeResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/hubs/${encodeURIComponent(id)}/join-code`, isCommand: true, options })
  }

  /**
   * Test a connection to a printer from a hub.
   *
   * Nothing is stored and nothing moves. Problems are part of the answer, with their remedies. A printer with a certificate that no known authority vouches for is sent no credentials until its fingerprint is given as `pinned_fingerprint`.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `testConnection`.
   */
  testConnection(id: string, body: Body<api.TestConnectionData>, options?: RequestOptions): Call<api.TestConnectionResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/hubs/${encodeURIComponent(id)}/test-connection`, json: body, options })
  }
}
