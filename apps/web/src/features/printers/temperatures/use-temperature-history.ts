import { useEffect, useState } from 'react'
import type { LivePrinterStatus } from '../../../lib/api/api-schema.generated.ts'
import { addSample, type TemperatureSample } from './temperature-history.ts'

/** A printer that keeps its temperature says nothing; the line goes on anyway. */
const stepMs = 5_000

/** What the live values have been since the page was opened. Nothing is stored. */
export function useTemperatureHistory(live: LivePrinterStatus | undefined): TemperatureSample[] {
  const [history, setHistory] = useState<TemperatureSample[]>([])
  const { nozzle_temp = null, bed_temp = null, chamber_temp = null } = live ?? {}
  const { target_nozzle_temp = null, target_bed_temp = null } = live ?? {}
  useEffect(() => {
    if (nozzle_temp === null && bed_temp === null) return undefined
    const add = () =>
      setHistory((before) =>
        addSample(before, {
          atMs: Date.now(),
          nozzle: nozzle_temp,
          bed: bed_temp,
          chamber: chamber_temp,
          nozzleTarget: target_nozzle_temp,
          bedTarget: target_bed_temp,
        }),
      )
    add()
    const timer = setInterval(add, stepMs)
    return () => clearInterval(timer)
  }, [nozzle_temp, bed_temp, chamber_temp, target_nozzle_temp, target_bed_temp])
  return history
}
