import type { WikiArticle, WikiSection } from '../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../lib/changed-fields.ts'
import type { ArticleChanges } from './wiki.api.ts'

/** An article as it stands in the editor. */
export interface EditedArticle {
  title: string
  category: string
  excerpt: string
  tags: string[]
  tools_required: string[]
  difficulty: WikiArticle['difficulty']
  estimated_time_minutes: number | string
  sku_id: string | null
  content: string
  sections: EditedSection[]
}

export type EditedSection = Pick<
  WikiSection,
  'id' | 'type' | 'title' | 'content' | 'image_url' | 'description' | 'notes' | 'warnings'
>

export function editedOf(article: WikiArticle): EditedArticle {
  const { title, category, excerpt, tags, tools_required, difficulty, sku_id, content } = article
  return {
    ...{ title, category, excerpt, tags, tools_required, difficulty, sku_id, content },
    estimated_time_minutes: article.estimated_time_minutes ?? '',
    sections: article.sections.map(({ order: _, number: __, ...section }) => section),
  }
}

/** Steps are numbered from 1 in their order; other sections have no number. */
export function numbered<Section extends Pick<EditedSection, 'type'>>(
  sections: readonly Section[],
): (Section & { number: number | null })[] {
  let steps = 0
  return sections.map((section) => {
    if (section.type === 'step') steps += 1
    return { ...section, number: section.type === 'step' ? steps : null }
  })
}

/** What is sent of an article that was edited: what differs, the sections as a whole. */
export function changesOf(before: EditedArticle, after: EditedArticle): ArticleChanges {
  const { sections, tags, tools_required, estimated_time_minutes: minutes, ...texts } = after
  const { sections: _, tags: __, tools_required: ___, estimated_time_minutes: earlier, ...textsBefore } = before
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
  return {
    ...changedFields(textsBefore, texts),
    ...(minutes !== earlier && { estimated_time_minutes: minutes === '' ? null : Number(minutes) }),
    ...(differs(tags, before.tags) && { tags }),
    ...(differs(tools_required, before.tools_required) && { tools_required }),
    ...(differs(sections, before.sections) && {
      sections: numbered(sections).map((section, order) => ({ ...section, order })),
    }),
  }
}

export function moveSection<Section>(sections: readonly Section[], from: number, to: number): Section[] {
  const moved = [...sections]
  const [section] = moved.splice(from, 1)
  if (section !== undefined) moved.splice(to, 0, section)
  return moved
}
