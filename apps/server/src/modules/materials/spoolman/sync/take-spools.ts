import type { Context } from '../../../../context/context.ts'
import type { Work } from '../../../events/work.ts'
import { requireRoom } from '../../../quotas/quotas.service.ts'
import { lockPrintersOfSpool } from '../../load-spool.ts'
import { listMaterialsById, lockMaterials, type MaterialRow } from '../../materials.queries.ts'
import { addMaterial, changeMaterial } from '../../materials.service.ts'
import type { WriteHeld } from './push-usage.ts'
import type { Spool } from './read-spool.ts'
import { type HeldConnection, hasOpenUsage, listLinks, saveLink } from './sync.queries.ts'

/** The type of a spool whose filament names no material. */
const unknownType = 'Other'

/** A spool of which Spoolman is to be told what is left. */
interface ToTell {
  spool: Spool
  remaining: number
}

/**
 * Takes over what a page of Spoolman says: spools that are new here are added, and those that are known are brought in line. Whose
 * quantities count, the connection says. Each spool has a transaction of its own, so that printers and spools are locked in the order
 * in which everything else locks them, and no one waits for a whole page.
 *
 * @returns where Printyard leads, the spools of which Spoolman has another quantity
 * @throws AppError `QUOTA_EXCEEDED` when the account has no room for another spool
 */
export async function takeSpools(
  context: Context,
  held: HeldConnection,
  spools: readonly Spool[],
  write: WriteHeld,
): Promise<ToTell[]> {
  const { account_id: accountId, url } = held
  const { sql } = context.db
  const ids = spools.map(({ id }) => id)
  const links = await listLinks(sql, accountId, ids)
  const materialIds = [...links.values()].flatMap(({ material_id: id }) => (id === null ? [] : [id]))
  const found = await listMaterialsById(sql, accountId, 'filament', materialIds)
  const materials = new Map(found.map((material) => [material.id, material]))
  const toTell: ToTell[] = []
  for (const spool of spools) {
    const link = links.get(spool.id)
    const material = link?.material_id ? materials.get(link.material_id) : undefined
    if (link === undefined || link.state === 'unweighed') {
      const isKnownWithout = link !== undefined && spool.remaining === null
      if (!spool.isArchived && !isKnownWithout) await write((work) => takeNew(context, work, url, spool))
    } else if (material !== undefined && !spool.isArchived) {
      if (link.state === 'gone') {
        await write((work) => saveLink(work, { spool_id: spool.id, url, material_id: material.id, state: 'linked' }))
      }
      if (held.leader === 'printyard') {
        if (spool.remaining !== material.remaining) toTell.push({ spool, remaining: material.remaining })
      } else if (!isSame(spool, material)) await write((work) => takeKnown(work, spool, material))
    }
  }
  return toTell
}

async function takeNew(context: Context, work: Work, url: string, spool: Spool): Promise<void> {
  if (spool.remaining === null) {
    await saveLink(work, { spool_id: spool.id, url, material_id: null, state: 'unweighed' })
    return
  }
  await requireRoom(context, work.sql, work.accountId, 'materials')
  const known = { type: unknownType, ...spool.filament, remaining_grams: spool.remaining / 1_000 }
  const { id } = await addMaterial(work, 'filament', known)
  await saveLink(work, { spool_id: spool.id, url, material_id: id, state: 'linked' })
}

async function takeKnown(work: Work, spool: Spool, seen: MaterialRow): Promise<void> {
  const { sql, accountId } = work
  // In the order in which everything else locks them: what is booked now waits, and what was booked before is seen.
  await lockPrintersOfSpool(sql, accountId, seen.printer_id === null ? [] : [seen.printer_id])
  await lockMaterials(sql, accountId, 'filament', [seen.id])
  // Usage that Spoolman has not heard of is in our figure and not in its own.
  const isBehind = spool.remaining === null || (await hasOpenUsage(sql, accountId, spool.id))
  const remaining = isBehind ? {} : { remaining_grams: (spool.remaining ?? 0) / 1_000 }
  await changeMaterial(work, 'filament', seen.id, { ...spool.filament, ...remaining })
}

/** By what was read without a lock: most spools are, and are left alone. */
function isSame({ filament, remaining }: Spool, seen: MaterialRow): boolean {
  const { diameter, spool_weight_grams: full, ...texts } = filament
  const hasTexts = Object.entries(texts).every(([name, value]) => seen[name as keyof typeof texts] === value)
  const hasDiameter = diameter === undefined || seen.diameter === diameter
  const hasFull = typeof full !== 'number' || seen.spool_weight === Math.round(full * 1_000)
  return hasTexts && hasDiameter && hasFull && (remaining === null || seen.remaining === remaining)
}
