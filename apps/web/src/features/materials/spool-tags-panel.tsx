import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SpoolTags } from '../../lib/api/api-schema.generated.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { useActions } from '../../ui/dialogs/use-actions.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { Time } from '../../ui/time.tsx'
import { type Material, nameOf } from './material-kinds.ts'
import { putTagOnSpool, spoolTagsQuery, takeTagOff } from './materials.api.ts'
import { tagKindWords, tagNumberWords } from './tag-words.ts'

type SpoolTag = SpoolTags['tags'][number]

interface SpoolTagsPanelProps {
  spool: Material
  /** Whether who is signed in may put tags on and take them off. */
  mayWrite: boolean
}

/** The chips by which a scan finds a spool. */
export function SpoolTagsPanel({ spool, mayWrite }: SpoolTagsPanelProps) {
  const tags = useQuery(spoolTagsQuery(spool.id))
  return (
    <Panel title={t('Tags')}>
      <Stack gap="sm">
        <QueryView query={tags} failed={t('The tags could not be read')}>
          {(found) =>
            found.tags.length === 0 ? (
              <Text c="dimmed">{t('No tag yet. A tag that is on it opens this spool when it is scanned.')}</Text>
            ) : (
              <TagTable spool={spool} tags={found.tags} mayWrite={mayWrite} />
            )
          }
        </QueryView>
        {mayWrite && <PutTagForm spool={spool} />}
      </Stack>
    </Panel>
  )
}

function TagTable({ spool, tags, mayWrite }: SpoolTagsPanelProps & { tags: readonly SpoolTag[] }) {
  const { busyId, perform } = useActions('materials')
  const takeOff = (tag: SpoolTag) => {
    const number = tagNumberWords(tag)
    return perform({
      id: tag.id,
      question: {
        title: t('Take tag {number} off?', { number }),
        body: t('A scan of it does not open {name} any more. It can be put on again.', { name: nameOf(spool) }),
        confirmLabel: t('Take the tag off'),
      },
      call: () => takeTagOff(spool.id, tag.id),
      done: t('Tag {number} is off the spool', { number }),
      failed: t('Tag {number} could not be taken off', { number }),
    })
  }
  const columns: Column<SpoolTag>[] = [
    { key: 'number', label: t('Number'), isTitle: true, cell: (tag) => <code>{tagNumberWords(tag)}</code> },
    { key: 'kind', label: t('Kind'), cell: ({ kind }) => tagKindWords[kind] },
    { key: 'since', label: t('On it since'), cell: ({ created_at }) => <Time at={created_at} as="full" /> },
  ]
  if (mayWrite) {
    columns.push({
      key: 'off',
      label: t('Take off'),
      align: 'right',
      cell: (tag) => (
        <Button
          size="compact-sm"
          variant="default"
          loading={busyId === tag.id}
          aria-label={t('Take tag {number} off', { number: tagNumberWords(tag) })}
          onClick={() => void takeOff(tag)}
        >
          {t('Take off')}
        </Button>
      ),
    })
  }
  return <DataTable label={t('Tags')} columns={columns} rows={tags} rowKey={({ id }) => id} />
}

function PutTagForm({ spool }: { spool: Material }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { code: '' } })
  const put = useMutation({
    mutationFn: (code: string) => putTagOnSpool(spool.id, code),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['materials'] }),
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: put,
    body: ({ code }) => code.trim(),
    done: () => t('The tag is on the spool'),
    onDone: form.reset,
  })
  return (
    <form onSubmit={submit}>
      <FormProblem problem={problem} />
      <Group align="flex-end" gap="xs" wrap="nowrap" maw="34rem">
        <TextInput
          label={t('Another tag')}
          description={t('Read it with a reader that types, or write its number')}
          className="grow"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputWrapperOrder={['label', 'description', 'error', 'input']}
          {...form.getInputProps('code')}
        />
        <Button type="submit" variant="default" loading={put.isPending} disabled={form.values.code.trim() === ''}>
          {tc('a tag on a spool', 'Put it on')}
        </Button>
      </Group>
    </form>
  )
}
