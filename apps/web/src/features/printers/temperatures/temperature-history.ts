import { t } from '../../../lib/i18n/t.ts'

/** What is kept of one moment, in °C; null where it is not known. */
export interface TemperatureSample {
  /** Milliseconds since 1970. */
  atMs: number
  nozzle: number | null
  bed: number | null
  chamber: number | null
  nozzleTarget: number | null
  bedTarget: number | null
}

/** An hour at one sample a second. */
const mostSamples = 3_600

/** The history with one more sample; one of the same second takes the place of the last. */
export function addSample(history: readonly TemperatureSample[], sample: TemperatureSample): TemperatureSample[] {
  const last = history.at(-1)
  const isSameSecond = last !== undefined && Math.floor(last.atMs / 1000) === Math.floor(sample.atMs / 1000)
  const kept = isSameSecond ? history.slice(0, -1) : history.slice(-(mostSamples - 1))
  return [...kept, sample]
}

const partWords = { nozzle: t('nozzle'), bed: t('bed'), chamber: t('chamber') }

/** The chart in words, for who cannot see it: `Nozzle 214 °C, between 25 and 215 °C; bed 60 °C, …`. */
export function describeHistory(history: readonly TemperatureSample[]): string {
  const parts = (['nozzle', 'bed', 'chamber'] as const).flatMap((part) => {
    const values = history.map((sample) => sample[part]).filter((value) => value !== null)
    const present = values.at(-1)
    if (present === undefined) return []
    const [low, high] = [Math.round(Math.min(...values)), Math.round(Math.max(...values))]
    const range = low === high ? t('unchanged') : t('between {low} and {high} °C', { low, high })
    return [`${partWords[part]} ${Math.round(present)} °C, ${range}`]
  })
  if (parts.length === 0) return t('No temperature is known yet.')
  const sentence = `${parts.join('; ')}.`
  return sentence[0]?.toUpperCase() + sentence.slice(1)
}
