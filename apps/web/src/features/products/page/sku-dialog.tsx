import { Autocomplete, ColorInput, Modal, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { Sku } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { colorChoicesQuery } from '../products.api.ts'

const empty = { sku: '', color: '', hex_code: '', filament_type: '', quantity: 1, low_stock_threshold: 5 }
type FormValues = typeof empty

interface SkuDialogProps {
  product: { id: string; name: string }
  /** Undefined: a new one. */
  sku?: Sku
  onClose: () => void
}

/** Adds a SKU to a product, or changes one. */
export function SkuDialog({ product, sku, onClose }: SkuDialogProps) {
  const queryClient = useQueryClient()
  const colors = useQuery(colorChoicesQuery()).data ?? []
  const initialValues: FormValues = sku
    ? {
        sku: sku.sku,
        color: sku.color,
        hex_code: sku.hex_code,
        filament_type: sku.filament_type,
        quantity: sku.quantity,
        low_stock_threshold: sku.low_stock_threshold,
      }
    : empty
  const form = useForm({ initialValues })
  const save = useMutation({
    mutationFn: async ({ hex_code, ...values }: FormValues): Promise<Pick<Sku, 'sku'>> => {
      if (!sku) {
        const body = { product_id: product.id, ...values, ...(hex_code !== '' && { hex_code }) }
        return api.call('POST /skus', { body })
      }
      const body = changedFields(initialValues, { hex_code, ...values })
      if (Object.keys(body).length === 0) return sku
      return api.call('PATCH /skus/{id}', { params: { id: sku.id }, body })
    },
    onSettled: () => {
      for (const key of ['products', 'skus', 'stock']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => ({ ...values, sku: values.sku.trim(), color: values.color.trim() }),
    done: (saved) =>
      sku
        ? t('{sku} is saved', { sku: saved.sku })
        : t('{sku} is added to {name}', { sku: saved.sku, name: product.name }),
    onDone: onClose,
  })
  const choose = (name: string) => {
    form.setFieldValue('color', name)
    const known = colors.find(({ color_name }) => color_name === name)
    if (!known) return
    form.setFieldValue('hex_code', known.hex_code)
    if (known.filament_type !== '') form.setFieldValue('filament_type', known.filament_type)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={sku ? t('Edit {sku}', { sku: sku.sku }) : t('Add a SKU to {name}', { name: product.name })}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput
            label={t('Code')}
            description={t('Code in orders, such as LAMP-RED')}
            required
            maxLength={100}
            data-autofocus
            {...form.getInputProps('sku')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Autocomplete
              label={t('Colour')}
              maxLength={100}
              data={[...new Set(colors.map(({ color_name }) => color_name))]}
              {...form.getInputProps('color')}
              onChange={choose}
            />
            <ColorInput
              label={t('Colour code')}
              placeholder="#RRGGBB"
              withEyeDropper={false}
              fixOnBlur={false}
              {...form.getInputProps('hex_code')}
            />
            <Autocomplete
              label={t('Filament')}
              placeholder={t('Such as PLA')}
              maxLength={50}
              data={[...new Set(colors.map(({ filament_type }) => filament_type).filter(Boolean))]}
              {...form.getInputProps('filament_type')}
            />
            <NumberInput
              label={t('Pieces in one unit')}
              min={1}
              max={100_000}
              allowDecimal={false}
              required
              {...form.getInputProps('quantity')}
            />
            <NumberInput
              label={t('Low at')}
              description={t('Ready stock at or below it counts as low')}
              min={0}
              max={1_000_000}
              allowDecimal={false}
              required
              {...form.getInputProps('low_stock_threshold')}
            />
          </SimpleGrid>
          <FormButtons label={sku ? t('Save') : t('Add SKU')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
