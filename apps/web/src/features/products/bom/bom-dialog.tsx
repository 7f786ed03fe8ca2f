import { ActionIcon, Button, Group, Modal, NumberInput, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { SkuBom } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { lineProblem } from '../../../ui/forms/line-problem.ts'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SkuSelect } from '../../skus/sku-select.tsx'
import { chosenLines, type MaterialLine, MaterialLines } from './material-lines.tsx'

interface FormValues {
  children: { child_sku_id: string | null; quantity_required: number }[]
  inventory: MaterialLine[]
}

interface BomDialogProps {
  sku: { id: string; sku: string }
  bom: SkuBom
  onClose: () => void
}

/** Says what one unit of a SKU is put together from. The whole bill is sent. */
export function BomDialog({ sku, bom, onClose }: BomDialogProps) {
  const queryClient = useQueryClient()
  const form = useForm<FormValues>({
    initialValues: {
      children: bom.children.map(({ child_sku_id, quantity_required }) => ({ child_sku_id, quantity_required })),
      inventory: bom.inventory.map(({ inventory_item_id, quantity_required }) => ({
        inventory_item_id,
        quantity_required,
      })),
    },
  })
  const { children, inventory } = form.values
  const save = useMutation({
    mutationFn: (values: FormValues) =>
      api.call('PUT /skus/{id}/bom', {
        params: { id: sku.id },
        body: {
          children: values.children.flatMap(({ child_sku_id, quantity_required }) =>
            child_sku_id === null ? [] : [{ child_sku_id, quantity_required }],
          ),
          inventory: chosenLines(values.inventory),
        },
      }),
    onSettled: () => {
      for (const key of ['products', 'skus', 'stock']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: () => t('The bill of materials of {sku} is saved', { sku: sku.sku }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Parts and components of one {sku}', { sku: sku.sku })} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={lineProblem(problem, form.errors, ['children', 'inventory'])} />
          <Title order={3}>SKUs</Title>
          {children.map(({ child_sku_id, quantity_required }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are taken out by their place.
            <Group key={index} align="end" gap="xs" wrap="nowrap">
              <SkuSelect
                label={t('SKU, line {index}', { index: index + 1 })}
                flex={1}
                value={child_sku_id}
                onChange={(id) => form.setFieldValue(`children.${index}.child_sku_id`, id)}
              />
              <NumberInput
                label={t('Each takes')}
                w="6rem"
                min={1}
                max={2000}
                allowDecimal={false}
                value={quantity_required}
                onChange={(value) => form.setFieldValue(`children.${index}.quantity_required`, Number(value) || 1)}
              />
              <ActionIcon
                size="lg"
                aria-label={t('Take out SKU, line {index}', { index: index + 1 })}
                onClick={() => form.removeListItem('children', index)}
              >
                <Icon name="close" size={18} />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button
              variant="subtle"
              size="xs"
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => form.insertListItem('children', { child_sku_id: null, quantity_required: 1 })}
            >
              {t('Add a SKU to the bill')}
            </Button>
          </Group>
          <Title order={3}>{t('Components and packaging')}</Title>
          <MaterialLines
            label={t('Material')}
            lines={inventory}
            onChange={(lines) => form.setFieldValue('inventory', lines)}
            empty={{ inventory_item_id: null, quantity_required: 1 }}
            addLabel={t('Add a component or packaging')}
          />
          <FormButtons label={t('Save the bill')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
