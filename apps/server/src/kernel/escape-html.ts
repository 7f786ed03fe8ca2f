const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it stands in HTML, in elements and in attributes with double quotes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
