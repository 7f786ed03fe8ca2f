import { Text } from '@mantine/core'
import { Fragment } from 'react'
import type { QueuedJob } from '../../lib/api/api-schema.generated.ts'
import { formatMinutes } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { colorWords } from '../../lib/words/color-words.ts'
import { ThingLink } from '../../ui/thing-link.tsx'

type Asked = Pick<
  QueuedJob,
  | 'number_of_units'
  | 'plates_total'
  | 'plates_done'
  | 'filament_type'
  | 'color'
  | 'any_color'
  | 'printer_id'
  | 'printer_name'
  | 'is_assigned'
  | 'status'
  | 'estimated_print_time_minutes'
  | 'product_name'
  | 'file_name'
>

/** What a job asks for, in one line. */
export function JobAsks({ job }: { job: Asked }) {
  const printer = printerWords(job)
  return (
    <Text size="sm" c="dimmed">
      {asksOf(job).map((words, index) => (
        <Fragment key={words}>
          {index > 0 && ' · '}
          {words === printer ? <ThingLink id={job.printer_id}>{words}</ThingLink> : words}
        </Fragment>
      ))}
    </Text>
  )
}

export function asksOf(job: Omit<Asked, 'printer_id'>): string[] {
  const { number_of_units, plates_total, plates_done, filament_type, color, any_color } = job
  const plates =
    plates_done > 0
      ? t('{plates_done} of {plates_total, plural, one {# plate} other {# plates}}', { plates_done, plates_total })
      : t('{plates_total, plural, one {# plate} other {# plates}}', { plates_total })
  const colour =
    color === '' ? [] : [any_color ? t('{color} or any colour', { color: colorWords(color) }) : colorWords(color)]
  const minutes = job.estimated_print_time_minutes
  return [
    t('{number_of_units, plural, one {# unit} other {# units}}', { number_of_units }),
    plates,
    ...[[filament_type, ...colour].filter((word) => word !== '').join(' ')].filter((words) => words !== ''),
    printerWords(job),
    ...(minutes === null ? [] : [formatMinutes(minutes)]),
    ...(job.product_name === null ? [] : [job.file_name]),
  ]
}

function printerWords({
  printer_name,
  is_assigned,
  status,
}: Pick<Asked, 'printer_name' | 'is_assigned' | 'status'>): string {
  if (printer_name === null) return t('any printer')
  return is_assigned && status === 'queued'
    ? t('for {printer_name}', { printer_name })
    : t('on {printer_name}', { printer_name })
}
