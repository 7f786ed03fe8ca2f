import Type, { type Static } from 'typebox'
import { nullable, resource, timestamp } from '../../http/schema.ts'
import type { JobPreview } from './preview-job.ts'
import { presentRemedy, remedy, waitingReason } from './scheduler.schema.ts'

export const JobPreviewAnswer = resource(
  'JobPreview',
  'Forecast of a job that is not queued: where and when it would start if it were queued now',
  {
    file_name: Type.String({ description: 'Name of the print file' }),
    product_sku_id: nullable(Type.String({ description: 'The SKU that it would make' })),
    product_name: nullable(Type.String({ description: 'Name of the product' })),
    sku_name: nullable(Type.String({ description: 'Colour and filament of the SKU' })),
    plates_total: Type.Integer({ description: 'Plates of the job' }),
    estimated_print_time_minutes: nullable(
      Type.Number({ description: 'All plates together, as the slicer estimates' }),
    ),
    filament_needed_grams: nullable(Type.Number({ description: 'Filament of all plates together, in grams' })),
    printers_total: Type.Integer({ description: 'Printers of the account' }),
    printers_fitting: Type.Integer({
      description: 'Printers that could print it by their known equipment and loaded filament, whatever they do now',
    }),
    printers_with_other_filament: Type.Integer({
      description: 'Further printers that could print it if other filament were loaded',
    }),
    printers_ready: Type.Integer({ description: 'Printers on which every rule holds, so that it could start at once' }),
    jobs_before: Type.Integer({ description: 'Queued jobs that would come before it, for whatever printers' }),
    free_printer_id: nullable(
      Type.String({
        description: 'The printer that would start it at once; null for none',
        examples: ['prn_01kaxq3v7m2e8h5t9w4c6y0b1d'],
      }),
    ),
    free_printer_name: nullable(Type.String({ description: 'Name of that printer', examples: ['North 2'] })),
    reason: waitingReason(),
    sentence: Type.String({ description: 'The reason, for people' }),
    remedy: remedy(),
    earliest_start_at: nullable(
      timestamp('The earliest start that can be foreseen on any printer; null when a person must act first'),
    ),
    finish_p50_at: nullable(
      timestamp(
        'Expected end of its last plate, from the times of such prints: on the printer that is free, else in its turn after all that prints and waits, provided that people do at once what is asked of them. Null where it cannot be told',
      ),
    ),
    finish_p90_at: nullable(
      timestamp('Time by which nine of ten such jobs would be done; null also where nothing was learnt'),
    ),
  },
)

export function presentPreview({ job, explanation, fits, free, finish }: JobPreview): Static<typeof JobPreviewAnswer> {
  const iso = (date: Date | null) => date?.toISOString() ?? null
  return {
    file_name: job.file_name,
    product_sku_id: job.product_sku_id,
    product_name: job.product_name,
    sku_name: job.sku_name,
    plates_total: job.plates_total,
    estimated_print_time_minutes: job.estimated_print_time_minutes,
    filament_needed_grams: job.filament_needed_grams,
    printers_total: explanation.printersTotal,
    printers_fitting: fits.asEquipped,
    printers_with_other_filament: fits.withOtherFilament,
    printers_ready: explanation.printersReady,
    jobs_before: explanation.jobsBefore,
    free_printer_id: free?.id ?? null,
    free_printer_name: free?.name ?? null,
    reason: explanation.reason,
    sentence: explanation.sentence,
    remedy: presentRemedy(explanation.remedy),
    earliest_start_at: iso(explanation.earliestStart),
    finish_p50_at: iso(finish.p50_at),
    finish_p90_at: iso(finish.p90_at),
  }
}
