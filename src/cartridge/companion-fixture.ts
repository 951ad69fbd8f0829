/** A companion without a fault, small and whole: what tests change one thing of. */
export function companionValue(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    kind: 'companion',
    id: 'guide',
    title: 'The guide',
    description: 'Remembers what was said.',
    version: '1.0.0',
    language: 'en',
    available_languages: ['en', 'lt'],
    audience: ['student', 'facilitator'],
    ai_config: {
      model_preference: 'fast',
      persona_mode: 'chat_participant',
      has_static_fallback: true,
      context_requirements: 'full_history',
    },
    context: [
      'persona',
      'safety',
      'safety_configuration',
      'language',
      { layer: 'rolling_memory', budget_tokens: 400 },
      'session_memory',
      'tool_instructions',
    ],
    tools: ['get_conversation_memory', 'search_conversation_history'],
    memory: { rolling: {}, sessions: {} },
    session: { inactivity_minutes: 15, on_end: ['summary', 'key_facts', 'topics'] },
    safety: { content_boundaries: ['self_harm', 'violence'], intensity_ceiling: 1, cold_start_safe: true },
    ...changes,
  };
}
