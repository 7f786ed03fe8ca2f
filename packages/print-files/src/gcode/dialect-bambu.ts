import { parseDuration } from '../settings/durations.ts'
import { itemAt, positive, readNumber, splitNumbers } from '../settings/lists.ts'
import { addProfile, configuredBody, configuredCount, configuredFilament } from '../settings/profile.ts'
import { settingsFromLines } from '../settings/settings.ts'
import type { GcodeReading } from './gcode-reading.ts'

/**
 * Bambu Studio, and Orca for Bambu's printers: a header block with amounts and a config block, both at the top. The
 * lists of the header hold the used filaments, those of the config all of them; `filament: 1,3` ties them together.
 */
export function readBambu(reading: GcodeReading): void {
  const { comments, facts, bodies } = reading
  const settings = settingsFromLines(comments.settings)
  const header = (key: string) => comments.headers.get(key)
  const numbers = (key: string) => splitNumbers(header(key) ?? '').filter((value) => !Number.isNaN(value))

  facts.printTimeSeconds = readTime(reading)
  facts.layerCount = positive(readNumber(header('total layer number') ?? ''))
  facts.maxZMm = positive(readNumber(header('max_z_height') ?? ''))

  const lengths = numbers('total filament length [mm]')
  const volumes = numbers('total filament volume [cm^3]')
  const weights = numbers('total filament weight [g]')
  const count = Math.max(lengths.length, volumes.length, weights.length)
  const positions = usedPositions(reading, count)
  for (let i = 0; i < positions.length; i++) {
    const index = positions[i]!
    const volumeMm3 = positive(volumes[i])
    const filament = {
      ...configuredFilament(settings, index),
      lengthMm: positive(lengths[i]),
      // The label says cm³, the number is mm³.
      volumeCm3: volumeMm3 === null ? null : volumeMm3 / 1000,
      weightG: positive(weights[i]),
    }
    if (count > 0 && filament.lengthMm === null && volumeMm3 === null && filament.weightG === null) continue
    const body = configuredBody(settings, index)
    facts.filaments.push(filament)
    bodies.set(index, {
      diameterMm: body.diameterMm ?? itemAt(numbers('filament_diameter'), i),
      densityGPerCm3: body.densityGPerCm3 ?? itemAt(numbers('filament_density'), i),
    })
  }
  addProfile(facts, settings)
}

/** The total, which includes heating and calibration; the model time alone where no total is given. */
function readTime({ comments }: GcodeReading): number | null {
  for (const line of comments.lines) {
    const total = /total estimated time:\s*([^;]+)/.exec(line)?.[1]
    const model = /model printing time:\s*([^;]+)/.exec(line)?.[1]
    if (total !== undefined || model !== undefined) return parseDuration(total ?? '') ?? parseDuration(model ?? '')
  }
  // Orca's own way of saying it, which stands in its files for Bambu's printers too.
  return parseDuration(comments.settings.get('estimated printing time (normal mode)') ?? '')
}

/** Positions (from 0) of the filaments that the header's amounts belong to. */
function usedPositions({ comments, facts }: GcodeReading, count: number): number[] {
  const written = splitNumbers(comments.headers.get('filament') ?? '')
    .filter((position) => Number.isInteger(position) && position >= 1 && position <= 1024)
    .map((position) => position - 1)
  if (written.length > 0 && (count === 0 || written.length === count)) return written
  const configured = configuredCount(settingsFromLines(comments.settings))
  if (count === 0 && configured > 1) {
    facts.warnings.push('The file does not say which of its configured filaments it uses.')
  } else if (count > 0 && configured > count) {
    facts.warnings.push('The file does not say which filaments its amounts belong to; the first ones are assumed.')
  }
  return Array.from({ length: Math.min(count || configured, 64) }, (_, index) => index)
}
