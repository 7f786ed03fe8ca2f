import { Button, Checkbox, Group, NumberInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { formatAmount } from '../../../lib/format.ts'
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
    validate: { product_sku_id: (id) => (id === null ? 'Choose a SKU' : null) },
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
    done: (_, { pack_size = 1 }) => `${name} is mapped${pack_size > 1 ? ` to ${formatAmount(pack_size, 'unit')}` : ''}`,
  })
  return (
    <form onSubmit={submit} aria-label={`Map ${name}`} className="map-line">
      <FormProblem problem={problem} />
      <Group align="flex-start" gap="sm">
        <SkuSelect label="Stands for" className="map-line-sku" {...form.getInputProps('product_sku_id')} />
        <NumberInput
          label="Units in one"
          className="map-line-pack"
          min={1}
          max={1000}
          allowDecimal={false}
          {...form.getInputProps('pack_size')}
        />
        <Button type="submit" loading={map.isPending} className="map-line-button" aria-label={`Map ${name}`}>
          Map
        </Button>
      </Group>
      <Checkbox
        mt="xs"
        label="Map all like it, and those to come"
        {...form.getInputProps('remember', { type: 'checkbox' })}
      />
    </form>
  )
}
