import type { Context } from '../../../context/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { workIn } from '../../events/work.ts'
import { releasePower, takePowerOff } from '../../printers/state/power.queries.ts'
import type { BrokerLink } from '../link/broker-link.ts'
import { keepsPower } from './plug-rule.ts'
import type { PlugRow } from './plugs.queries.ts'

/** For how long nothing is started on a printer whose power goes off. Longer than any connection takes to be found dead. */
export const powerOffMs = 120_000

/** Actor that switches, and why. */
interface Cause {
  actor: string
  reason: string
}

/**
 * Switches the power of a printer off, if nothing prints or starts there and it is cool. The printer is taken first, so that the
 * scheduler starts nothing on it meanwhile, and looked at once more after that.
 *
 * @throws AppError `INVALID_STATE` with what keeps the power on; BrokerProblem when the plug could not be told
 */
export async function switchOff(
  context: Context,
  accountId: AccountId,
  plug: PlugRow,
  link: Pick<BrokerLink, 'send'>,
  { actor, reason }: Cause,
): Promise<void> {
  const { db, clock } = context
  const refuse = () => {
    const words = keepsPower(findOwnLive(context, accountId, { id: plug.printer_id, hub_id: plug.hub_id }).live?.state)
    if (words !== undefined) throw refused(words)
  }
  refuse()
  const now = clock.now()
  const isTaken = await db.begin((sql) =>
    takePowerOff(sql, accountId, plug.printer_id, { now, until: new Date(now.getTime() + powerOffMs) }),
  )
  if (!isTaken) throw refused('A job is starting or printing on the printer.')
  try {
    refuse()
    await link.send(plug.command_topic, plug.payload_off)
  } catch (error) {
    // A message that was refused before it was sent switches nothing. One that broke off may still arrive: the printer stays taken.
    if (error instanceof AppError) await releasePower(db.sql, accountId, plug.printer_id)
    throw error
  }
  await recordSwitched(context, accountId, plug, { on: false, actor, reason })
}

/** Switches the power of a printer on; this is always safe. @throws BrokerProblem when the plug could not be told */
export async function switchOn(
  context: Context,
  accountId: AccountId,
  plug: PlugRow,
  link: Pick<BrokerLink, 'send'>,
  cause: Cause,
): Promise<void> {
  await link.send(plug.command_topic, plug.payload_on)
  await releasePower(context.db.sql, accountId, plug.printer_id)
  await recordSwitched(context, accountId, plug, { on: true, ...cause })
}

async function recordSwitched(
  { db, clock }: Context,
  accountId: AccountId,
  { id, printer_id }: PlugRow,
  { on, actor, reason }: Cause & { on: boolean },
): Promise<void> {
  await db.begin((sql) =>
    workIn(sql, { accountId, actor, now: clock.now() }).record({
      type: 'smart_plug.switched',
      subjectId: id,
      data: { printer_id, on, reason },
    }),
  )
}

const refused = (words: string) =>
  new AppError('INVALID_STATE', {}, { message: words, details: { status: 'on', reason: 'keeps_power' } })
