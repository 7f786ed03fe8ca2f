import { Modal, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { PlanLine } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount } from '../../../lib/format.ts'
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
      units === 0 ? `Nothing is held by hand for ${name} there` : `${formatAmount(units, 'unit')} held for ${name}`,
    onDone: onClose,
  })
  const units = Number(form.values.units)
  return (
    <Modal opened onClose={onClose} title={`Hold units for ${name}`}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            What is held by hand is this line’s, whatever comes earlier. It stays so until the line has taken it, or
            until 0 units are held.
          </Text>
          <Select
            label="From"
            data={[
              { value: shelf, label: 'The shelf' },
              ...jobs.map(({ id, number_of_units, file_name, status }) => ({
                value: id,
                label: `Job ${file_name ?? id}, ${formatAmount(number_of_units, 'unit')}, ${status}`,
              })),
            ]}
            allowDeselect={false}
            {...form.getInputProps('from')}
          />
          <NumberInput
            label="Units"
            description="0 lets go what is held there"
            min={0}
            max={open}
            allowDecimal={false}
            required
            data-autofocus
            {...form.getInputProps('units')}
          />
          <FormButtons
            label={units === 0 ? 'Let them go' : `Hold ${formatAmount(units, 'unit')}`}
            isBusy={hold.isPending}
            isDisabled={form.values.units === ''}
          />
        </Stack>
      </form>
    </Modal>
  )
}
