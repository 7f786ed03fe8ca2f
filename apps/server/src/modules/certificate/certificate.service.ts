import type { Context } from '../../context/context.ts'
import { warnBeforeMs } from '../../tls/served-certificate.ts'
import { findOperator } from '../backups/backups.service.ts'
import { workIn } from '../events/work.ts'
import { closeFarmTask, openFarmTask } from '../worklist/farm-tasks.ts'

const subjectId = 'certificate'

/**
 * Asks a person to look after the certificate of this service while it ends soon, has ended, or cannot be read again; the task closes by
 * itself when another one is served, or when the service does without.
 */
export async function watchCertificate(context: Context): Promise<void> {
  const accountId = await findOperator(context.db.sql, context.config)
  if (accountId === undefined) return
  const now = context.clock.now()
  const concern = concernOf(context.certificate, now)
  await context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'system', now })
    if (concern === undefined) {
      await closeFarmTask(work, { source: 'certificate', subjectId })
      return
    }
    await openFarmTask(work, {
      source: 'certificate',
      subjectId,
      title: concern.title,
      subtitle: 'Phones, hubs and programs refuse a certificate that has ended',
      description: `${concern.description} How it is renewed: docs/operating/https.md.`,
      task_type: 'maintenance',
      priority: 'high',
      printerId: null,
    })
  })
}

interface Concern {
  title: string
  description: string
}

/** Answers what a person has to do about a certificate; undefined when nothing. */
export function concernOf(
  certificate: Pick<NonNullable<Context['certificate']>, 'pair' | 'problem'> | undefined,
  now: Date,
): Concern | undefined {
  if (certificate === undefined) return undefined
  const { pair, problem } = certificate
  const day = pair.endsAt.toISOString().slice(0, 10)
  const leftMs = pair.endsAt.getTime() - now.getTime()
  const kept = problem === undefined ? '' : ` The new one cannot be used: ${problem}.`
  if (leftMs <= 0) {
    return { title: `The certificate has ended on ${day}`, description: `HTTPS is broken since then.${kept}` }
  }
  if (leftMs <= warnBeforeMs) {
    return { title: `The certificate ends on ${day}`, description: `Renew it before.${kept}` }
  }
  if (problem === undefined) return undefined
  const description = `The files of the settings have changed, but ${problem}. The former certificate is served until ${day}.`
  return { title: 'The new certificate cannot be used', description }
}
