import type { Context } from '../../../context/context.ts'
import { attachmentNamed } from '../../../http/attachment.ts'
import { failures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { bytes } from '../../files/files.schema.ts'
import { readAccount } from '../../people/accounts/account.service.ts'
import { downloadsOf } from './export-downloads.ts'

/** Routes by which owners take their farm along without a shell on the machine of the service. */
export function accountExportRoutes(routes: App, context: Context): void {
  routes.get(
    '/account/export',
    {
      // It has no end that could be known before it was made.
      exposeHeadRoute: false,
      config: { scope: 'read', role: 'owner', needsProof: true, waitsForOthers: true, tagged: false },
      schema: {
        summary: 'Download all of the account',
        description:
          'The same as `printyard export`: rows of one moment as JSON Lines, spreadsheets, and each file once. It is written while it is downloaded, and a download that breaks off holds no manifest. One at a time for each account.',
        response: {
          200: bytes(['application/gzip'], 'One `.tar.gz`'),
          ...failures('FORBIDDEN', 'PROOF_REQUIRED', 'EXPORT_RUNNING', 'SERVICE_UNAVAILABLE'),
        },
      },
    },
    async ({ actor }, reply) => {
      const { db, clock } = context
      const { name } = await readAccount(context, db.sql, actor.accountId)
      const content = await downloadsOf(context).start(context, actor.accountId)
      try {
        await db.beginFor(actor.accountId, (sql) =>
          workOf(context, actor, sql).record({ type: 'account_export.started', subjectId: actor.accountId, data: {} }),
        )
      } catch (error) {
        content.destroy()
        throw error
      }
      const day = clock.now().toISOString().slice(0, 10)
      return reply
        .headers({ 'Content-Disposition': attachmentNamed(`${name} ${day}.tar.gz`), 'Cache-Control': 'no-store' })
        .type('application/gzip')
        .send(content)
    },
  )
}
