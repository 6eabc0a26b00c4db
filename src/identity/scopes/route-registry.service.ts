import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { Scope } from './scopes.js';
import { Public, type TokenUse } from '../../platform/http/public.decorator.js';
import { RequireScope } from './require-scope.decorator.js';

/** A route and what it says it needs. */
export interface DeclaredRoute {
  method: string;
  path: string;
  /** The controller and method, for whoever has to mend it. */
  handler: string;
  scope: Scope | undefined;
  public: TokenUse | undefined;
}

/** Walks all routes at start, so that none is forgotten: one that does not say what it needs stops the service. */
@Injectable()
export class RouteRegistryService implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error that names the routes which declare neither, or both */
  onModuleInit(): void {
    const undecided = this.list().filter((route) => (route.scope === undefined) === (route.public === undefined));
    if (undecided.length === 0) return;
    const names = undecided.map(({ method, path, handler }) => `${method} ${path} (${handler})`).join(', ');
    throw new Error(`These routes must say what they need, by either @RequireScope or @Public: ${names}`);
  }

  list(): DeclaredRoute[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      const controller = instance as Record<string, unknown> | undefined;
      if (!controller || !metatype) return [];
      return this.scanner
        .getAllMethodNames(Object.getPrototypeOf(controller) as object)
        .filter((name) => Reflect.hasMetadata(METHOD_METADATA, controller[name] as object))
        .map((name) => this.describeRoute(metatype as Type, name, controller[name] as () => unknown));
    });
  }

  private describeRoute(controller: Type, name: string, handler: () => unknown): DeclaredRoute {
    const method = this.reflector.get<RequestMethod, string>(METHOD_METADATA, handler);
    const paths = [controller, handler].map((target) =>
      String(this.reflector.get<unknown, string>(PATH_METADATA, target)),
    );
    return {
      method: RequestMethod[method],
      path: `/${paths
        .flatMap((path) => path.split('/'))
        .filter(Boolean)
        .join('/')}`,
      handler: `${controller.name}.${name}`,
      scope: this.reflector.get(RequireScope, handler),
      public: this.reflector.get(Public, handler),
    };
  }
}
