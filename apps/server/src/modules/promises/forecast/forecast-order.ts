import type { SkuId } from '../../../kernel/ids.ts'
import { gravest, type Outlook, type UnknownReason, unknown, unknownReasons, whenAll } from './moment.ts'

/** An open line of an order as the last plan left it. */
export interface LineFact {
  /** Null while it is not mapped. */
  skuId: SkuId | null
  /** What people call it. */
  sku: string
  units: number
  /** Units of which the plan says something; fewer until the line is planned whole. */
  plannedUnits: number
  /** On the shelf, of the planned ones. */
  reservedUnits: number
  /** Reason why some cannot be made, and the SKU that is the reason: itself, or a part of it. */
  blockedBy: readonly { reason: string; sku: string }[]
  /** Outlooks of the jobs that print for it, and of what is still to be queued. */
  prints: readonly Outlook[]
  /** Time to put one unit together, where that was learnt. */
  assembly: { p50Seconds: number; p90Seconds: number } | undefined
}

export interface OrderOutlook extends Outlook {
  /** All of it lies on the shelf. */
  isReady: boolean
  /** The SKU that the reason is about: that of a line, or of what blocks it; empty without one. */
  sku: string
}

/** Answers when the last of an order will lie on the shelf, put together. What is not known of one line is not known of the order. */
export function forecastOrder(lines: readonly LineFact[], nowMs: number): OrderOutlook {
  const outlooks = lines.map((line) => ({ sku: line.sku, ...forecastLine(line, nowMs) }))
  const whole = whenAll(outlooks, nowMs)
  const about = outlooks.find(({ reason }) => whole.reason !== null && reason === whole.reason)
  return { ...whole, isReady: lines.every(isOnShelf), sku: about?.sku ?? '' }
}

const isOnShelf = ({ units, plannedUnits, reservedUnits }: LineFact) =>
  reservedUnits > 0 && reservedUnits === plannedUnits && plannedUnits >= units

/** With the SKU that the reason is about, where that is another one than that of the line. */
function forecastLine(line: LineFact, nowMs: number): Outlook & { sku?: string } {
  if (line.skuId === null) return unknown('unmapped')
  if (line.blockedBy.length > 0) {
    const reason = gravest(line.blockedBy.map((blocker) => blocker.reason).filter(isUnknownReason)) ?? 'not_planned'
    const sku = line.blockedBy.find((blocker) => blocker.reason === reason)?.sku
    return { ...unknown(reason), ...(sku && { sku }) }
  }
  if (line.plannedUnits < line.units) return unknown('not_planned')
  const printed = whenAll(line.prints, nowMs)
  const loose = line.plannedUnits - line.reservedUnits
  if (line.assembly === undefined || loose === 0) return printed
  const { p50Seconds, p90Seconds } = line.assembly
  const after = (ms: number | null, seconds: number) => (ms === null ? null : ms + seconds * loose * 1_000)
  return { ...printed, p50Ms: after(printed.p50Ms, p50Seconds), p90Ms: after(printed.p90Ms, p90Seconds) }
}

const isUnknownReason = (reason: string): reason is UnknownReason => unknownReasons.some((each) => each === reason)
