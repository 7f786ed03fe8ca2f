import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { LivePrinterStatus } from '../../../lib/api/api-schema.generated.ts'
import { lastHourQuery } from '../printers.api.ts'
import { addSample, type TemperatureSample } from './temperature-history.ts'

/** A printer that keeps its temperature says nothing; the line goes on anyway. */
const stepMs = 5_000
const hourMs = 3_600_000

/** The last hour as the service keeps it, and from there on what the printer says; undefined until it is read. */
export function useTemperatureHistory(printerId: string, live: LivePrinterStatus): TemperatureSample[] | undefined {
  const kept = useQuery(lastHourQuery(printerId)).data
  const [since, setSince] = useState<TemperatureSample[]>([])
  const { nozzle_temp, bed_temp, chamber_temp, target_nozzle_temp, target_bed_temp } = live
  useEffect(() => {
    if (nozzle_temp === null && bed_temp === null) return undefined
    const add = () =>
      setSince((before) =>
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
  return useMemo(() => {
    if (!kept) return undefined
    const [first] = since
    // The clock of this device may be behind that of the service.
    const before = first ? kept.filter(({ atMs }) => atMs < first.atMs) : kept
    const oldest = (since.at(-1)?.atMs ?? Date.now()) - hourMs
    return [...before, ...since].filter(({ atMs }) => atMs >= oldest)
  }, [kept, since])
}
