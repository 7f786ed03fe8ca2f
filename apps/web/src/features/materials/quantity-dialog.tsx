import { Modal, NumberInput, Select, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { formatQuantity, type Material, type MaterialKind, nameOf, remainingOf } from './material-kinds.ts'
import { changeMaterial, consumeMaterial, restockMaterial } from './materials.api.ts'

/** Some was used, some came, or what is left was counted or weighed. */
export type QuantityChange = 'consume' | 'restock' | 'count'

const reasons = [
  { value: 'manual_adjustment', label: t('Used by hand') },
  { value: 'damaged', label: t('Damaged') },
  { value: 'other', label: t('Something else') },
] as const

interface QuantityDialogProps {
  kind: MaterialKind
  material: Material
  change: QuantityChange
  onClose: () => void
}

/** Books a change of what there is of a material. */
export function QuantityDialog({ kind, material, change, onClose }: QuantityDialogProps) {
  const queryClient = useQueryClient()
  const isFilament = kind === 'filament'
  const { id } = material
  const name = nameOf(material)
  const form = useForm({
    initialValues: {
      quantity: (change === 'count' ? remainingOf(material) : '') as number | '',
      reason: 'manual_adjustment' as (typeof reasons)[number]['value'],
      notes: '',
    },
    validate: { quantity: (value) => (value === '' ? t('Enter the quantity') : null) },
  })
  const save = useMutation({
    mutationFn: async ({ quantity, reason, notes }: typeof form.values): Promise<unknown> => {
      const number = Number(quantity)
      const said = notes.trim() === '' ? {} : { notes: notes.trim() }
      if (change === 'consume') return consumeMaterial(kind, id, { quantity: number, reason, ...said })
      if (change === 'restock') return restockMaterial(kind, id, { quantity: number, ...said })
      return changeMaterial(kind, id, isFilament ? { remaining_grams: number } : { remaining_units: number })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['materials'] }),
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: () => t('The remaining quantity of {name} is booked', { name }),
    onDone: onClose,
  })
  const unit = isFilament ? t('Grams') : t('Pieces')
  const title = { consume: t('Take some of'), restock: t('Restock'), count: isFilament ? t('Weigh') : t('Count') }[
    change
  ]
  const label = {
    consume: t('{amount} taken', { amount: unit }),
    restock: t('{amount} added', { amount: unit }),
    count: t('{amount} left', { amount: unit }),
  }[change]
  return (
    <Modal opened onClose={onClose} title={`${title} ${name}`}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {t('{amount} are known to be left.', { amount: formatQuantity(kind, remainingOf(material)) })}
          </Text>
          <NumberInput
            label={label}
            {...(change === 'count' && isFilament && { description: t('Without the weight of the empty spool') })}
            min={change === 'count' ? 0 : isFilament ? 0.001 : 1}
            max={1_000_000}
            allowDecimal={isFilament}
            required
            data-autofocus
            {...form.getInputProps('quantity')}
          />
          {change === 'consume' && (
            <Select label={t('Reason')} data={[...reasons]} allowDeselect={false} {...form.getInputProps('reason')} />
          )}
          {change !== 'count' && (
            <Textarea label={t('Notes')} autosize minRows={1} maxLength={1000} {...form.getInputProps('notes')} />
          )}
          <FormButtons label={t('Book it')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
