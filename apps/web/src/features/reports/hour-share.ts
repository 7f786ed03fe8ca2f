import type { HoursOfDay } from '../../lib/api/api-schema.generated.ts'

type Hour = Pick<HoursOfDay['by_printer'][number]['hours'][number], 'printing_minutes' | 'wall_minutes'>

/** Percent of an hour that was printed in; undefined where nothing is known of it. */
export function shareOf({ printing_minutes: printing, wall_minutes: wall }: Hour): number | undefined {
  return wall === 0 ? undefined : Math.min(100, Math.round((printing / wall) * 100))
}

/** `07` */
export const hourWord = (hour: number): string => String(hour).padStart(2, '0')
