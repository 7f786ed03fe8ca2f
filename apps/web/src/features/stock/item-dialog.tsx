import { Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { InventoryItemDetail } from '../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../lib/changed-fields.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'

interface ItemDialogProps {
  item: InventoryItemDetail
  onClose: () => void
}

/** Changes an item of the stock; one that is out of use comes back with what is there now. */
export function ItemDialog({ item, onClose }: ItemDialogProps) {
  const queryClient = useQueryClient()
  const initialValues = {
    low_stock_threshold: item.low_stock_threshold,
    image_url: ownImage(item.image_url),
    bin: item.bin,
  }
  const form = useForm({ initialValues: { ...initialValues, ready_stock: item.ready_stock } })
  const save = useMutation({
    mutationFn: async ({ ready_stock, bin, ...values }: typeof form.values): Promise<unknown> => {
      if (!item.is_active) {
        return api.call('POST /inventory', { body: { product_sku_id: item.product_sku_id, ready_stock, ...values } })
      }
      const body = changedFields(initialValues, { ...values, bin: bin.trim() })
      return Object.keys(body).length === 0
        ? undefined
        : api.call('PATCH /inventory/{id}', { params: { id: item.id }, body })
    },
    onSettled: () => {
      for (const key of ['stock', 'products', 'skus']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: () =>
      item.is_active ? t('{sku} is saved', { sku: item.sku }) : t('{sku} is back in the stock', { sku: item.sku }),
    onDone: onClose,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={item.is_active ? t('Edit {sku}', { sku: item.sku }) : t('Bring {sku} back', { sku: item.sku })}
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          {!item.is_active && (
            <NumberInput
              label={t('Ready units on the shelf')}
              description={t('The difference is booked as a count')}
              min={0}
              max={1_000_000}
              allowDecimal={false}
              required
              data-autofocus
              {...form.getInputProps('ready_stock')}
            />
          )}
          <NumberInput
            label={t('Low at')}
            description={t('Ready stock at or below it counts as low')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            required
            {...form.getInputProps('low_stock_threshold')}
          />
          {item.is_active && (
            <TextInput
              label={t('Bin')}
              description={t('Name of its shelf or box, as picking lists and labels show it')}
              placeholder="A-03"
              maxLength={100}
              {...form.getInputProps('bin')}
            />
          )}
          <TextInput
            label={t('Address of a picture of its own')}
            description={t('Empty: the first picture of the product')}
            placeholder="https://"
            maxLength={2000}
            {...form.getInputProps('image_url')}
          />
          <FormButtons label={item.is_active ? t('Save') : t('Bring it back')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

/** The address is the item's own unless it is that of a picture of the product. */
function ownImage(address: string): string {
  return /\/images\/[0-9a-f]{32}$/.test(address) ? '' : address
}
