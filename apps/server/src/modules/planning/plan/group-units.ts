import type { Blocker, UnitGroup } from './plan.ts'
import type { PartNeed, Spread } from './spread.ts'
import { firstBeyond, valueAt } from './steps.ts'
import { alreadyThere, notKnown, stateOrder, type UnitState } from './supply.ts'

/** From this unit of the demand on, it is no nearer than this. */
interface Turn {
  from: number
  state: UnitState
  readyAtMs: number
}

interface Block {
  from: number
  blocker: Blocker
}

/**
 * Sorts the units of a demand into groups: each is as near as the least of its parts. `makeable` are the units before the first
 * that is blocked. The parts of earlier units are never worse, so that a few turns say everything, however many units.
 */
export function groupUnits(spread: Spread, units: number): { groups: UnitGroup[]; makeable: number } {
  const blocks = blocksOf(spread).filter(({ from }) => from <= units)
  blocks.sort((a, b) => a.from - b.from)
  const makeable = (blocks[0]?.from ?? units + 1) - 1
  const moving = groupMoving(
    spread.parts.flatMap((part) => turnsOf(part, makeable)),
    makeable,
  )
  return { groups: [...moving, ...groupBlocked(blocks, units)], makeable }
}

function turnsOf({ need, takes, covered, source }: PartNeed, units: number): Turn[] {
  const total = valueAt(need, units)
  const turns: Turn[] = []
  let before = 0
  for (const { lot, units: taken } of takes) {
    if (before >= total) return turns
    turns.push({ from: firstBeyond(need, before), state: lot.state, readyAtMs: lot.readyAtMs })
    before += taken
  }
  if (covered >= total) return turns
  const from = firstBeyond(need, covered)
  // The parts of a kit are turns of their own; that it has to be put together is the least that is true of it.
  if (source.kind === 'assemble') turns.push({ from, state: 'to_assemble', readyAtMs: alreadyThere })
  else turns.push({ from, state: 'to_print', readyAtMs: notKnown })
  return turns
}

function groupMoving(turns: Turn[], units: number): UnitGroup[] {
  turns.sort((a, b) => a.from - b.from)
  const groups: UnitGroup[] = []
  let level = 0
  let readyAtMs = alreadyThere
  for (let index = 0; index < turns.length; index += 1) {
    const turn = turns[index]!
    level = Math.max(level, stateOrder.indexOf(turn.state))
    readyAtMs = Math.max(readyAtMs, turn.readyAtMs)
    const end = Math.min(turns[index + 1]?.from ?? units + 1, units + 1)
    if (end > turn.from) addGroup(groups, stateOrder[level]!, readyAtMs, end - turn.from)
  }
  return groups
}

function addGroup(groups: UnitGroup[], state: UnitState, readyAtMs: number, units: number): void {
  const expectedAtMs = Number.isFinite(readyAtMs) ? readyAtMs : null
  const last = groups.at(-1)
  if (last?.state === state && last.expectedAtMs === expectedAtMs) last.units += units
  else groups.push({ state, units, expectedAtMs })
}

function blocksOf({ parts, components }: Spread): Block[] {
  const ofParts = parts.flatMap(({ skuId, need, covered, source }) =>
    source.kind === 'blocked' ? [block(firstBeyond(need, covered), source.reason, skuId)] : [],
  )
  const ofComponents = components.map(({ materialId, skuId, need, left }) =>
    block(firstBeyond(need, left), 'missing_component', skuId, materialId),
  )
  return [...ofParts, ...ofComponents]
}

function block(
  from: number,
  reason: Blocker['reason'],
  skuId: Blocker['skuId'],
  materialId: Blocker['materialId'] = null,
): Block {
  return { from, blocker: { reason, skuId, materialId } }
}

/** Units with the same reasons are one group; later units have all reasons of earlier ones, and perhaps more. */
function groupBlocked(blocks: readonly Block[], units: number): UnitGroup[] {
  const starts = [...new Set(blocks.map(({ from }) => from))]
  return starts.map((start, index) => ({
    state: 'blocked',
    units: (starts[index + 1] ?? units + 1) - start,
    expectedAtMs: null,
    blockers: blocks.filter(({ from }) => from <= start).map(({ blocker }) => blocker),
  }))
}
