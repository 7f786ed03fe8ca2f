// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, RequestOptions } from '../request.ts'

/** Operations on agentCalls. */
export class AgentCalls {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * Record that an agent uses a tool.
   *
   * It stands in the audit as `agent.used_tool`, with the key of the request as its actor.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `createAgentCall`.
   */
  create(body: Body<api.CreateAgentCallData>, options?: RequestOptions): Call<api.CreateAgentCallResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/agent-calls', json: body, options })
  }
}
