import type { JobPreview } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount, formatGrams, formatMinutes } from '../../../lib/format.ts'

/** How much it is, in one line: `2 plates · 1h 10 min · 24 g`. */
export function amountWords(preview: JobPreview): string {
  const { plates_total, estimated_print_time_minutes: minutes, filament_needed_grams: grams } = preview
  return [
    formatAmount(plates_total, 'plate'),
    minutes === null ? undefined : formatMinutes(minutes),
    grams === null ? undefined : formatGrams(grams),
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** On how many printers it can be printed. */
export function fitWords({ printers_fitting, printers_with_other_filament }: JobPreview): string {
  if (printers_fitting > 0) return `Fits ${formatAmount(printers_fitting, 'printer')}`
  if (printers_with_other_filament > 0) {
    return `Fits ${formatAmount(printers_with_other_filament, 'printer')} with other filament`
  }
  return 'Fits no printer'
}

/** Who takes it: the printer that is free, else what it waits for, in the words of the service. */
export function turnWords({ free_printer_name, sentence, jobs_before }: JobPreview): string {
  if (free_printer_name !== null) return `${free_printer_name} is free.`
  const before = jobs_before === 0 ? '' : ` ${formatAmount(jobs_before, 'job')} in the queue before it.`
  return `${sentence}${before}`
}
