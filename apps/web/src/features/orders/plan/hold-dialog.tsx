import { Modal, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { PlanLine } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { jobsOfSkuQuery, useHoldUnits } from '../orders.api.ts'
import { openUnits } from './plan-words.ts'

interface HoldDialogProps {
  orderId: string
  line: PlanLine
  onClose: () => void
}

const shelf = 'shelf'

/** Holds units for a line by hand, before all that comes earlier in the order of service, or lets them go. */
export function HoldDialog({ orderId, line, onClose }: HoldDialogProps) {
  const name = line.product_name || line.sku
  const open = openUnits(line)
  const jobs = useQuery(jobsOfSkuQuery(line.product_sku_id ?? '')).data ?? []
  const form = useForm({ initialValues: { units: open as number | string, from: shelf } })
  const hold = useHoldUnits(orderId, line.order_item_id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: hold,
    body: ({ units, from }) => ({ units: Number(units), ...(from !== shelf && { job_id: from }) }),
    done: (_, { units }) =>
      units === 0
        ? t('No units are held by hand for {name} there', { name })
        : t('{units, plural, one {# unit} other {# units}} held for {name}', { units, name }),
    onDone: onClose,
  })
  const units = Number(form.values.units)
  return (
    <Modal opened onClose={onClose} title={t('Hold units for {name}', { name })}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {t(
              'Units held by hand are reserved for this line, even before lines that come earlier. They stay held until the line has taken them, or until 0 units are held.',
            )}
          </Text>
          <Select
            label={t('From')}
            data={[
              { value: shelf, label: t('The shelf') },
              ...jobs.map(({ id, number_of_units, file_name, status }) => ({
                value: id,
                label: t('Job {file_name}, {number_of_units, plural, one {# unit} other {# units}}, {status}', {
                  file_name: file_name ?? id,
                  number_of_units,
                  status,
                }),
              })),
            ]}
            allowDeselect={false}
            {...form.getInputProps('from')}
          />
          <NumberInput
            label={t('Units')}
            description={t('0 releases the held units')}
            min={0}
            max={open}
            allowDecimal={false}
            required
            data-autofocus
            {...form.getInputProps('units')}
          />
          <FormButtons
            label={units === 0 ? t('Release them') : t('Hold {units, plural, one {# unit} other {# units}}', { units })}
            isBusy={hold.isPending}
            isDisabled={form.values.units === ''}
          />
        </Stack>
      </form>
    </Modal>
  )
}
