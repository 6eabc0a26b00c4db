import js from '@eslint/js';
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';

/** The roles of classes that NestJS injects. Their names end with the role. */
const ROLES =
  'Service|Store|Guard|Interceptor|Filter|Pipe|Registry|Middleware|Listener|Strategy|Grant|Loader|Module|Log|Tools';

/** Reports an injectable class whose name does not end with one of the roles. */
function requireRole(roles, message) {
  const selector = `ClassDeclaration[id.name!=/(${roles})$/] > Decorator > CallExpression[callee.name='Injectable']`;
  return { 'no-restricted-syntax': ['error', { selector, message }] };
}

export default tseslint.config(
  // ESLint and the compiler run without the packages that the files in `test/tools` import.
  { ignores: ['dist/', 'coverage/', 'data/', 'test/tools/'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['*.js', 'scripts/*.js', 'test/*.js', '.ci/*.js'] } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings come from src/platform/config, read once.' },
      ],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['src/platform/config/**', 'ormconfig.ts', 'test/**', '**/*.js'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Every exported class and function has a docblock.
    files: ['src/**', 'ormconfig.ts'],
    plugins: { jsdoc },
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          require: { ClassDeclaration: true, FunctionDeclaration: true, ArrowFunctionExpression: true },
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: requireRole(ROLES, 'The name of an injectable class ends with its role.'),
  },
  {
    files: ['src/**/*.service.ts'],
    rules: requireRole('Service', 'The name of an injectable class in a *.service.ts file ends with Service.'),
  },
  {
    // Services, stores and rules know nothing of HTTP and pages.
    files: ['src/**/*.service.ts', 'src/**/*.store.ts', 'src/**/rules/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '(\\.page|/(page-error|redirect|view|api-error))\\.js$',
              message: 'Return a result or throw a DomainError: a controller or a filter maps it.',
            },
            { group: ['express'], message: 'Services, stores and rules do not know HTTP.' },
            {
              group: ['@nestjs/common'],
              importNamePattern: 'Exception$',
              message: 'Return a result or throw a DomainError: a filter maps it.',
            },
          ],
        },
      ],
    },
  },
  {
    // Responses have no types: each test states the members that it expects.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        performance: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    files: ['src/**/assets/*.js'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        DOMParser: 'readonly',
        Event: 'readonly',
        FormData: 'readonly',
        Headers: 'readonly',
        Request: 'readonly',
        TextEncoder: 'readonly',
        URLSearchParams: 'readonly',
        addEventListener: 'readonly',
        atob: 'readonly',
        btoa: 'readonly',
        clearInterval: 'readonly',
        crypto: 'readonly',
        document: 'readonly',
        location: 'readonly',
        navigator: 'readonly',
        open: 'readonly',
        removeEventListener: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        window: 'readonly',
      },
    },
  },
  {
    files: ['examples/pocket-map/**'],
    languageOptions: {
      globals: {
        document: 'readonly',
        location: 'readonly',
        history: 'readonly',
        indexedDB: 'readonly',
        setInterval: 'readonly',
      },
    },
  },
  {
    files: ['bench/**', 'examples/**', 'scripts/**', 'test/**/*.js'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        Headers: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
);
