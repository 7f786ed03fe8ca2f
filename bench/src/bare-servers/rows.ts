import { answerJson, serveBare } from './answer-json.ts'

// The same rows again and again, kept in memory and turned into text for each request.
const answer: unknown = JSON.parse(process.argv[2] ?? '')
serveBare((_request, response) => answerJson(response, JSON.stringify(answer)))
