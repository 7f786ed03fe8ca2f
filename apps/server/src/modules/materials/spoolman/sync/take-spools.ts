import type { Context } from '../../../../context/context.ts'
import type { MaterialId } from '../../../../kernel/ids.ts'
import type { Work } from '../../../events/work.ts'
import { requireRoom } from '../../../quotas/quotas.service.ts'
import { lockPrintersOfSpool } from '../../load-spool.ts'
import { findMaterial, lockMaterials } from '../../materials.queries.ts'
import { addMaterial, changeMaterial } from '../../materials.service.ts'
import type { Spool } from './read-spool.ts'
import { type HeldConnection, hasOpenUsage, type LinkedSpool, listLinks, saveLink } from './sync.queries.ts'

/** A spool of which Spoolman is to be told what is left. */
export interface ToTell {
  spool: Spool
  remaining: number
}

/**
 * Takes over what a page of Spoolman says: spools that are new here are added, and those that are known are brought in line. Whose
 * quantities count, the connection says.
 *
 * @returns where Printyard leads, the spools of which Spoolman has another quantity
 * @throws AppError `QUOTA_EXCEEDED` when the account has no room for another spool
 */
export async function takeSpools(
  context: Context,
  work: Work,
  held: HeldConnection,
  spools: readonly Spool[],
): Promise<ToTell[]> {
  const links = await listLinks(
    work.sql,
    work.accountId,
    spools.map(({ id }) => id),
  )
  const toTell: ToTell[] = []
  for (const spool of spools) {
    const link = links.get(spool.id)
    if (link === undefined || link.state === 'unweighed') await takeNew(context, work, held, spool)
    else if (link.material_id !== null && !spool.isArchived) {
      const told = await takeKnown(work, held, spool, link, link.material_id)
      if (told !== undefined) toTell.push(told)
    }
  }
  return toTell
}

async function takeNew(context: Context, work: Work, { url }: HeldConnection, spool: Spool): Promise<void> {
  if (spool.isArchived) return
  if (spool.remaining === null) {
    await saveLink(work, { spool_id: spool.id, url, material_id: null, state: 'unweighed' })
    return
  }
  await requireRoom(context, work.sql, work.accountId, 'materials')
  const { id } = await addMaterial(work, 'filament', { ...spool.filament, remaining_grams: spool.remaining / 1_000 })
  await saveLink(work, { spool_id: spool.id, url, material_id: id, state: 'linked' })
}

async function takeKnown(
  work: Work,
  { url, leader }: HeldConnection,
  spool: Spool,
  link: LinkedSpool,
  materialId: MaterialId,
): Promise<ToTell | undefined> {
  const { sql, accountId } = work
  if (link.state === 'gone') await saveLink(work, { spool_id: spool.id, url, material_id: materialId, state: 'linked' })
  const seen = await findMaterial(sql, accountId, 'filament', materialId)
  if (seen === undefined) return undefined
  if (leader === 'printyard') {
    return spool.remaining === seen.remaining ? undefined : { spool, remaining: seen.remaining }
  }
  // In the order in which everything else locks them: what is booked now waits, and what was booked before is seen.
  await lockPrintersOfSpool(sql, accountId, seen.printer_id === null ? [] : [seen.printer_id])
  await lockMaterials(sql, accountId, 'filament', [materialId])
  // Usage that Spoolman has not heard of is in our figure and not in its own.
  const isBehind = spool.remaining === null || (await hasOpenUsage(sql, accountId, spool.id))
  const remaining = isBehind ? {} : { remaining_grams: (spool.remaining ?? 0) / 1_000 }
  await changeMaterial(work, 'filament', materialId, { ...spool.filament, ...remaining })
  return undefined
}
