import { ActionIcon, Button, Group, Modal, NumberInput, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { SkuBom } from '../../../lib/api/api-schema.generated.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
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
    done: () => `The bill of materials of ${sku.sku} is saved`,
    onDone: onClose,
    // Lines have no field of their name to stand beside.
    fieldErrors: () => undefined,
  })
  return (
    <Modal opened onClose={onClose} title={`What one ${sku.sku} is put together from`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Title order={3}>SKUs</Title>
          {children.map(({ child_sku_id, quantity_required }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are taken out by their place.
            <Group key={index} align="end" gap="xs" wrap="nowrap">
              <SkuSelect
                label={`SKU, line ${index + 1}`}
                flex={1}
                value={child_sku_id}
                onChange={(id) => form.setFieldValue(`children.${index}.child_sku_id`, id)}
              />
              <NumberInput
                label="Each takes"
                w="6rem"
                min={1}
                max={2000}
                allowDecimal={false}
                value={quantity_required}
                onChange={(value) => form.setFieldValue(`children.${index}.quantity_required`, Number(value) || 1)}
              />
              <ActionIcon
                size="lg"
                aria-label={`Take out SKU, line ${index + 1}`}
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
              Add a SKU to the bill
            </Button>
          </Group>
          <Title order={3}>Components and packaging</Title>
          <MaterialLines
            label="Material"
            lines={inventory}
            onChange={(lines) => form.setFieldValue('inventory', lines)}
            empty={{ inventory_item_id: null, quantity_required: 1 }}
            addLabel="Add a component or packaging"
          />
          <FormButtons label="Save the bill" isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
