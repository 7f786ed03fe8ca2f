import { Checkbox, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { SkuDetail } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'

/** Says when the shelf of a SKU is filled up, how far, and whether by itself. */
export function RestockDialog({ sku, onClose }: { sku: SkuDetail; onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: {
      restock_point: (sku.restock_point ?? '') as number | '',
      restock_to: (sku.restock_to ?? '') as number | '',
      auto_produce: sku.auto_produce,
    },
    validate: {
      restock_point: (point, { restock_to }) => (point === '' && restock_to !== '' ? t('Enter the stock level') : null),
      restock_to: (to, { restock_point: point }) =>
        point !== '' && (to === '' || to <= point) ? t('Must be more than the stock at which it begins') : null,
    },
  })
  const save = useMutation({
    mutationFn: ({ restock_point, restock_to, auto_produce }: typeof form.values) =>
      api.call('PATCH /skus/{id}', {
        params: { id: sku.id },
        body: {
          restock_point: restock_point === '' ? null : restock_point,
          restock_to: restock_to === '' ? null : restock_to,
          auto_produce,
        },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['skus'] }),
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: () => t('The shelf of {sku} is set', { sku: sku.sku }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Keep {sku} on the shelf', { sku: sku.sku })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">{t('Orders come first; units for the shelf come last. Leave both empty to make none.')}</Text>
          <NumberInput
            label={t('Fill up from')}
            description={t('Units in stock and on their way at which it is restocked')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            data-autofocus
            {...form.getInputProps('restock_point')}
          />
          <NumberInput
            label={t('Up to')}
            description={t('Units that are then to be there')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps('restock_to')}
          />
          <Checkbox
            label={t('Queue missing units automatically')}
            {...form.getInputProps('auto_produce', { type: 'checkbox' })}
          />
          <FormButtons label={t('Save')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
