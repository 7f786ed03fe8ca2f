import { Button, Checkbox, Group, NumberInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { SkuSelect } from '../../skus/sku-select.tsx'
import { useMapLine } from '../orders.api.ts'
import './map-line.css'

interface MapLineProps {
  orderId: string
  itemId: string
  /** What the shop calls the line. */
  name: string
}

/** Says in place which SKU a line stands for, and how many units of it one of the line is. */
export function MapLine({ orderId, itemId, name }: MapLineProps) {
  const form = useForm({
    initialValues: { product_sku_id: null as string | null, pack_size: 1 as number | string, remember: true },
    validate: { product_sku_id: (id) => (id === null ? t('Choose a SKU') : null) },
  })
  const map = useMapLine(orderId, itemId)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: map,
    body: ({ product_sku_id, pack_size, remember }) => ({
      product_sku_id: product_sku_id ?? '',
      pack_size: Number(pack_size),
      remember,
    }),
    done: (_, { pack_size = 1 }) =>
      t('{name} is mapped{units}', {
        name,
        units: pack_size > 1 ? t(' to {pack_size, plural, one {# unit} other {# units}}', { pack_size }) : '',
      }),
  })
  return (
    <form onSubmit={submit} aria-label={t('Map {name}', { name })} className="map-line">
      <FormProblem problem={problem} />
      <Group align="flex-start" gap="sm">
        <SkuSelect label={t('Stands for')} className="map-line-sku" {...form.getInputProps('product_sku_id')} />
        <NumberInput
          label={t('Units in one')}
          className="map-line-pack"
          min={1}
          max={1000}
          allowDecimal={false}
          {...form.getInputProps('pack_size')}
        />
        <Button
          type="submit"
          loading={map.isPending}
          className="map-line-button"
          aria-label={t('Map {name}', { name })}
        >
          {t('Map')}
        </Button>
      </Group>
      <Checkbox
        mt="xs"
        label={t('Map all like it, and those to come')}
        {...form.getInputProps('remember', { type: 'checkbox' })}
      />
    </form>
  )
}
