import { Text } from '@mantine/core'
import type { QueuedJob } from '../../lib/api/api-schema.generated.ts'
import { colorWords } from '../../lib/color-words.ts'
import { formatAmount, formatMinutes } from '../../lib/format.ts'

type Asked = Pick<
  QueuedJob,
  | 'number_of_units'
  | 'plates_total'
  | 'plates_done'
  | 'filament_type'
  | 'color'
  | 'any_color'
  | 'printer_name'
  | 'is_assigned'
  | 'status'
  | 'estimated_print_time_minutes'
  | 'product_name'
  | 'file_name'
>

/** What a job asks for, in one line. */
export function JobAsks({ job }: { job: Asked }) {
  return (
    <Text size="sm" c="dimmed">
      {asksOf(job).join(' · ')}
    </Text>
  )
}

export function asksOf(job: Asked): string[] {
  const { number_of_units, plates_total, plates_done, filament_type, color, any_color, printer_name } = job
  const plates =
    plates_done > 0 ? `${plates_done} of ${formatAmount(plates_total, 'plate')}` : formatAmount(plates_total, 'plate')
  const colour = color === '' ? [] : [any_color ? `${colorWords(color)} or any colour` : colorWords(color)]
  const minutes = job.estimated_print_time_minutes
  return [
    formatAmount(number_of_units, 'unit'),
    plates,
    ...[[filament_type, ...colour].filter((word) => word !== '').join(' ')].filter((words) => words !== ''),
    printer_name === null
      ? 'any printer'
      : job.is_assigned && job.status === 'queued'
        ? `for ${printer_name}`
        : `on ${printer_name}`,
    ...(minutes === null ? [] : [formatMinutes(minutes)]),
    ...(job.product_name === null ? [] : [job.file_name]),
  ]
}
