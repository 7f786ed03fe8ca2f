import { type Filament, unknownFilament } from '../print-file.ts'
import { knownSeconds, parseDuration } from '../settings/durations.ts'
import { positive, readNumber } from '../settings/lists.ts'
import type { Dialect } from './detect-slicer.ts'
import type { GcodeReading } from './gcode-reading.ts'

/** Phrases by which the slicers without a format of their own tell time and filament. */
interface Phrases {
  seconds?: (text: string) => number | null
  time?: RegExp
  lengthMm?: RegExp
  weightG?: RegExp
  type?: RegExp
}

const minutes = (text: string) => knownSeconds(readNumber(text) * 60)

const phrases: Partial<Record<Dialect, Phrases>> = {
  simplify3d: {
    time: /^;\s*Build Time: (.+)$/i,
    lengthMm: /^;\s*(?:Material|Filament) length: ([\d.]+) mm/i,
    weightG: /^;\s*(?:Material|Plastic) weight: ([\d.]+) g/i,
  },
  ideamaker: {
    time: /^;Print Time: (\S+)$/,
    lengthMm: /^;Material#(?<place>\d+) Used: ([\d.]+)/,
    type: /^;Filament Type #(?<place>\d+): (\S.*)$/,
  },
  kisslicer: {
    time: /^;.*Build Time: ([\d.]+) minutes/i,
    seconds: minutes,
    lengthMm: /^;\s*Ext #(?<place>\d+)\s*=\s*([\d.]+) ?mm/,
  },
  kirimoto: {
    time: /^;+ --- print time: (.+)$/,
    lengthMm: /^;+ --- filament used: ([\d.]+) ?mm/,
  },
  icesl: {
    lengthMm: /^;\s*filament_used_mm\s*: ([\d.]+)/,
    weightG: /^;\s*filament_used_g\s*: ([\d.]+)/,
  },
}

/** Simplify3D, ideaMaker, KISSlicer, Kiri:Moto and IceSL, as far as they say anything. */
export function readOthers(dialect: Dialect, { comments, facts }: GcodeReading): void {
  const { seconds = parseDuration, ...patterns } = phrases[dialect] ?? {}
  const filaments = new Map<number, Filament>()
  const filamentOf = (found: RegExpExecArray) => {
    const index = Math.min(63, Math.max(0, Number(found.groups?.place ?? 1) - 1))
    const filament = filaments.get(index) ?? unknownFilament(index)
    filaments.set(index, filament)
    return filament
  }
  for (const line of comments.lines) {
    const time = patterns.time?.exec(line)
    if (time) facts.printTimeSeconds ??= seconds(time[1]!)
    const length = patterns.lengthMm?.exec(line)
    if (length) filamentOf(length).lengthMm ??= positive(readNumber(length.at(-1)!))
    const weight = patterns.weightG?.exec(line)
    if (weight) filamentOf(weight).weightG ??= positive(readNumber(weight.at(-1)!))
    const type = patterns.type?.exec(line)
    if (type) filamentOf(type).type ??= type.at(-1)!.trim()
  }
  facts.filaments = [...filaments.values()]
    .filter((filament) => filament.lengthMm !== null || filament.weightG !== null)
    .sort((a, b) => a.index - b.index)
}
