import { Button, Group, NumberInput, Select, Stack, Tabs, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WikiArticle } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { ArticleBody } from '../../ui/article/article-body.tsx'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkuSelect } from '../skus/sku-select.tsx'
import { changesOf, type EditedArticle, type EditedSection, editedOf, moveSection, numbered } from './edited-article.ts'
import { MarkdownInput } from './markdown-input.tsx'
import { SectionEditor } from './section-editor.tsx'
import { useSaveArticle } from './wiki.api.ts'

const difficulties = [
  { value: 'easy', label: t('Easy') },
  { value: 'medium', label: t('Medium') },
  { value: 'hard', label: t('Hard') },
] as const

interface ArticleEditorProps {
  article: WikiArticle
  etag: string | undefined
  onSaved: () => void
  onCancel: () => void
}

/** Writes an article: its text in Markdown and its sections, with a preview. A change by someone else meanwhile is told. */
export function ArticleEditor({ article, etag, onSaved, onCancel }: ArticleEditorProps) {
  const [before] = useState(() => editedOf(article))
  const [edited, setEdited] = useState(before)
  const save = useSaveArticle(article.id)
  const confirm = useConfirm()
  const set = (change: Partial<EditedArticle>) => setEdited((now) => ({ ...now, ...change }))
  const setSection = (id: string, section: EditedSection) =>
    setEdited((now) => ({ ...now, sections: now.sections.map((each) => (each.id === id ? section : each)) }))
  const changes = changesOf(before, edited)
  const isChanged = Object.keys(changes).length > 0

  const submit = () => {
    if (!isChanged) return onSaved()
    return save.mutate(
      { body: withoutEmptyWarnings(changes), etag },
      {
        onSuccess: () => {
          toastDone(t('{title} is saved', { title: edited.title }))
          onSaved()
        },
      },
    )
  }
  const leave = async () => {
    const isSure =
      !isChanged ||
      (await confirm({
        title: t('Discard the changes?'),
        body: t('Changes since the last save are lost.'),
        confirmLabel: t('Discard it'),
        cancelLabel: t('Go on writing'),
        isDangerous: true,
      }))
    if (isSure) onCancel()
  }
  const addSection = () =>
    set({
      sections: [
        ...edited.sections,
        {
          ...{ id: crypto.randomUUID(), type: 'step', title: '', content: '', image_url: '' },
          ...{ description: '', notes: '', warnings: [] },
        },
      ],
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="md">
        <FormProblem problem={save.error ?? undefined} />
        <Tabs defaultValue="write" keepMounted={false}>
          <Tabs.List aria-label={t('Editor')}>
            <Tabs.Tab value="write" className="touch-target">
              {t('Write')}
            </Tabs.Tab>
            <Tabs.Tab value="preview" className="touch-target">
              {t('Preview')}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="write" pt="md">
            <Stack gap="md">
              <Panel title={t('About it')}>
                <Stack gap="xs">
                  <TextInput
                    label={t('Title')}
                    required
                    maxLength={200}
                    value={edited.title}
                    onChange={({ currentTarget }) => set({ title: currentTarget.value })}
                  />
                  <Textarea
                    label={t('In a sentence')}
                    autosize
                    maxLength={1000}
                    value={edited.excerpt}
                    onChange={({ currentTarget }) => set({ excerpt: currentTarget.value })}
                  />
                  <Group grow align="start" preventGrowOverflow={false}>
                    <TextInput
                      label={t('Category')}
                      maxLength={100}
                      value={edited.category}
                      onChange={({ currentTarget }) => set({ category: currentTarget.value })}
                    />
                    <SkuSelect
                      label={t('Shown when this SKU is put together')}
                      value={edited.sku_id}
                      onChange={(sku_id) => set({ sku_id })}
                      clearable
                    />
                  </Group>
                  <Group grow align="start" preventGrowOverflow={false}>
                    <NumberInput
                      label={t('Minutes that it takes')}
                      min={0}
                      max={10_000_000}
                      value={edited.estimated_time_minutes}
                      onChange={(estimated_time_minutes) => set({ estimated_time_minutes })}
                    />
                    <Select
                      label={t('Difficulty')}
                      data={difficulties}
                      value={edited.difficulty}
                      onChange={(value) =>
                        set({ difficulty: difficulties.find((each) => each.value === value)?.value ?? null })
                      }
                      clearable
                    />
                  </Group>
                  <TagsInput
                    label={t('Tools to have at hand')}
                    value={edited.tools_required}
                    maxTags={100}
                    onChange={(tools_required) => set({ tools_required })}
                  />
                  <TagsInput label={t('Tags')} value={edited.tags} maxTags={50} onChange={(tags) => set({ tags })} />
                </Stack>
              </Panel>
              <Panel title={t('Text')}>
                <MarkdownInput
                  articleId={article.id}
                  label={t('Text of the article')}
                  value={edited.content}
                  onChange={(content) => set({ content })}
                />
              </Panel>
              {edited.sections.map((section, index) => (
                <SectionEditor
                  key={section.id}
                  articleId={article.id}
                  section={section}
                  place={index + 1}
                  count={edited.sections.length}
                  onChange={(changed) => setSection(section.id, changed)}
                  onMove={(by) => set({ sections: moveSection(edited.sections, index, index + by) })}
                  onRemove={() => set({ sections: edited.sections.filter(({ id }) => id !== section.id) })}
                />
              ))}
              <div>
                <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={addSection}>
                  {t('Add a section')}
                </Button>
              </div>
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="preview" pt="md">
            <Panel title={edited.title || t('Without a title')}>
              <ArticleBody content={edited.content} sections={numbered(edited.sections)} />
            </Panel>
          </Tabs.Panel>
        </Tabs>
        <Group>
          <Button type="submit" loading={save.isPending} disabled={edited.title.trim() === ''}>
            {t('Save')}
          </Button>
          <Button variant="default" onClick={() => void leave()}>
            {isChanged ? t('Discard the changes…') : t('Back')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Lines that were left empty are no warnings. */
function withoutEmptyWarnings({ sections, ...changes }: ReturnType<typeof changesOf>): ReturnType<typeof changesOf> {
  if (sections === undefined) return changes
  const kept = (lines: readonly string[] | undefined) => (lines ?? []).map((line) => line.trim()).filter(Boolean)
  return { ...changes, sections: sections.map((section) => ({ ...section, warnings: kept(section.warnings) })) }
}
