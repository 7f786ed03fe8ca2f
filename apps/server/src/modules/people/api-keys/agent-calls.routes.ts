import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { envelope, failures, ok, oneOf, postFailures, request, resource } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'

const steps = ['look', 'dry_run', 'act'] as const

const fields = {
  agent: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Name and version that the agent gives itself',
    examples: ['planning-agent/2.1.0'],
  }),
  tool: Type.String({ minLength: 1, maxLength: 100, description: 'The tool', examples: ['why_job_waits'] }),
  step: oneOf(steps, {
    description: 'look: it reads; dry_run: its effects are previewed; act: it is carried out, if its token is right',
    examples: ['look'],
  }),
}

/** The audit of agents: which program used which tool, written by the MCP server before it does what it is asked. */
export function agentCallRoutes(app: App, context: Context): void {
  app.post(
    '/agent-calls',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Account'],
        summary: 'Record that an agent uses a tool',
        description: 'It stands in the audit as `agent.used_tool`, with the key of the request as its actor.',
        body: request(fields),
        response: {
          201: envelope(resource('AgentCall', 'Recorded use of a tool by an agent', fields)),
          ...failures(...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        const { actor, body } = request
        const { agent, tool, step } = body
        const data = { agent, tool, step }
        await workOf(context, actor, sql).record({ type: 'agent.used_tool', subjectId: actor.accountId, data })
        return ok(data)
      }),
  )
}
