import type { JobPreview } from '../../../lib/api/api-schema.generated.ts'
import { formatGrams, formatMinutes } from '../../../lib/format.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'

/** How much it is, in one line: `2 plates · 1h 10 min · 24 g`. */
export function amountWords(preview: JobPreview): string {
  const { plates_total, estimated_print_time_minutes: minutes, filament_needed_grams: grams } = preview
  return [
    t('{plates_total, plural, one {# plate} other {# plates}}', { plates_total }),
    minutes === null ? undefined : formatMinutes(minutes),
    grams === null ? undefined : formatGrams(grams),
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** On how many printers it can be printed. */
export function fitWords({ printers_fitting, printers_with_other_filament }: JobPreview): string {
  if (printers_fitting > 0)
    return t('Fits {printers_fitting, plural, one {# printer} other {# printers}}', { printers_fitting })
  if (printers_with_other_filament > 0) {
    return t('Fits {printers_with_other_filament, plural, one {# printer} other {# printers}} with other filament', {
      printers_with_other_filament,
    })
  }
  return t('Fits no printer')
}

/** Who takes it: the printer that is free, else what it waits for, in the words of the service. */
export function turnWords({ free_printer_name, sentence, jobs_before }: JobPreview): string {
  if (free_printer_name !== null) return t('{free_printer_name} is free.', { free_printer_name })
  const before =
    jobs_before === 0
      ? ''
      : t(' {jobs_before, plural, one {# job} other {# jobs}} in the queue before it.', { jobs_before })
  return `${serviceSentence(sentence)}${before}`
}
